import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { Account } from './account';
import { advice, asked, type Finding, failed, passed } from './finding';

/** The table itself. Without it there is nothing else to check, so its description is handed on. */
export async function checkTable(
  account: Account,
  tableName: string,
): Promise<{ findings: Finding[]; table?: TableDescription }> {
  let table: TableDescription | undefined;
  const named = (check: string) => ({ check: `table.${check}`, subject: tableName });
  const findings = await asked(
    named('exists'),
    'dynamodb:DescribeTable',
    () => account.table(tableName),
    async (description) => {
      table = description;
      if (table === undefined) return [absent(tableName)];
      return [
        passed(named('exists'), `its status is ${table.TableStatus}`),
        keySchema(tableName, table),
        ...(await timeToLive(account, tableName)),
        ...(await recovery(account, tableName)),
        encryption(tableName, table),
        deletionProtection(tableName, table),
      ];
    },
  );
  return table ? { findings, table } : { findings };
}

function absent(tableName: string): Finding {
  return failed(
    { check: 'table.exists', subject: tableName },
    'there is no such table in this region and account',
    {
      fix: 'Check the name, AWS_REGION and AWS_PROFILE, or let the module make the table.',
      terraform: `module "idempotency" { name = "${tableName}" }`,
    },
  );
}

function keySchema(
  subject: string,
  { KeySchema = [], AttributeDefinitions = [] }: TableDescription,
): Finding {
  const named = { check: 'table.key', subject };
  const keys = KeySchema.map(({ AttributeName, KeyType }) => {
    const { AttributeType } = AttributeDefinitions.find((each) => each.AttributeName === AttributeName) ?? {};
    return `${AttributeName} (${KeyType}, ${AttributeType})`;
  }).join(', ');
  if (keys === 'pk (HASH, S)') return passed(named, 'its key is pk, a string');
  return failed(named, `its key is ${keys}, but the layer's is pk (HASH, S)`, {
    fix: 'A table keeps its key for ever: make another, with the partition key pk of type S and no sort key.',
    terraform: 'hash_key = "pk"',
  });
}

const TTL = `ttl {
  attribute_name = "expiresAt"
  enabled        = true
}`;

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
function timeToLive(account: Account, subject: string): Promise<Finding[]> {
  const named = { check: 'table.ttl', subject };
  return asked(
    named,
    'dynamodb:DescribeTimeToLive',
    () => account.timeToLive(subject),
    (ttl) => {
      const { AttributeName: attribute, TimeToLiveStatus: status = 'DISABLED' } = ttl ?? {};
      const on = status === 'ENABLED' || status === 'ENABLING';
      if (on && attribute === 'expiresAt') return [passed(named, 'records are deleted after expiresAt')];
      const detail = on
        ? `TTL is on ${attribute}, which the layer does not write: records stay for ever`
        : 'TTL is off: records stay for ever, at your cost';
      const fix = on ? 'Turn TTL off, and on again for expiresAt.' : 'Turn TTL on for expiresAt.';
      return [failed(named, detail, { fix, terraform: TTL })];
    },
  );
}

function recovery(account: Account, subject: string): Promise<Finding[]> {
  const named = { check: 'table.recovery', subject };
  return asked(
    named,
    'dynamodb:DescribeContinuousBackups',
    () => account.pointInTimeRecovery(subject),
    (recovery) => [
      recovery?.PointInTimeRecoveryStatus === 'ENABLED'
        ? passed(named, 'point-in-time recovery is on')
        : advice(named, 'point-in-time recovery is off: with the records, what is done is forgotten', {
            fix: 'Turn it on, unless the records are worth less than it costs.',
            terraform: 'table_point_in_time_recovery = true',
          }),
    ],
  );
}

function encryption(subject: string, { SSEDescription: sse }: TableDescription): Finding {
  const named = { check: 'table.encryption', subject };
  if (sse?.Status === 'ENABLED') {
    return passed(named, `encrypted by ${sse.KMSMasterKeyArn ?? 'a key of the account in KMS'}`);
  }
  return advice(named, 'encrypted by a key that AWS owns, whose use no log of yours shows', {
    fix: 'Where records hold personal data, encrypt by a key of your own.',
    terraform: 'table_kms_key_arn = aws_kms_key.this.arn',
  });
}

function deletionProtection(subject: string, { DeletionProtectionEnabled: on }: TableDescription): Finding {
  const named = { check: 'table.deletion_protection', subject };
  if (on) return passed(named, 'protected against deletion');
  return advice(named, 'not protected against deletion: without its records, every operation is new', {
    fix: 'Protect it, unless it is one of a test.',
    terraform: 'table_deletion_protection = true',
  });
}
