import { DescribeTableCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { type AttributeValue, toItem } from '../layer/attribute-value';
import { type Clock, sleep } from '../layer/clock';
import { type IdempotencyRecord, readRecord } from '../layer/record';
import { CommandError } from './exit-codes';

export interface ScanRequest {
  tableName: string;
  /** What keys, as they are stored, begin with. */
  prefix: string;
  /** Read units to take a second, on average. */
  unitsPerSecond: number;
}

export interface ScannedPage {
  records: { pk: string; record: IdempotencyRecord }[];
  /** Records looked at, those that the prefix leaves out included. */
  scanned: number;
  /** Read units that the page took. */
  units: number;
}

// What a result holds is nobody's business here: it is not even fetched.
const ATTRIBUTES = [
  'pk',
  'status',
  'expiresAt',
  'lockedUntil',
  'owner',
  'attempt',
  'outcome',
  'resultUnavailable',
];

// Little enough for the first page not to take many units, whatever the size of the records.
const FIRST_PAGE = 100;

/**
 * All records of the table, a page at a time, eventually consistent. Pages are so large that each takes about a second's
 * units, and the next one waits until those of the last are paid.
 */
export async function* scan(
  client: DynamoDBClient,
  { tableName, prefix, unitsPerSecond }: ScanRequest,
  clock: Clock,
): AsyncGenerator<ScannedPage> {
  let start: Record<string, AttributeValue> | undefined;
  let limit = FIRST_PAGE;
  do {
    const { Items, LastEvaluatedKey, ScannedCount, ConsumedCapacity } = await client.send(
      new ScanCommand({
        TableName: tableName,
        ProjectionExpression: ATTRIBUTES.map((name) => `#${name}`).join(', '),
        ExpressionAttributeNames: Object.fromEntries(ATTRIBUTES.map((name) => [`#${name}`, name])),
        ...(prefix !== '' && {
          FilterExpression: 'begins_with(#pk, :prefix)',
          ExpressionAttributeValues: { ':prefix': { S: prefix } },
        }),
        ...(start && { ExclusiveStartKey: start as never }),
        Limit: limit,
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    const units = ConsumedCapacity?.CapacityUnits ?? 0;
    const scanned = ScannedCount ?? Items?.length ?? 0;
    const records = (Items ?? []).map((attributes) => {
      const item = toItem(attributes as Record<string, AttributeValue>);
      return { pk: String(item.pk), record: readRecord(item) };
    });
    yield { records, scanned, units };
    start = LastEvaluatedKey as Record<string, AttributeValue> | undefined;
    if (start && units > 0) {
      limit = Math.max(1, Math.floor((scanned * unitsPerSecond) / units));
      await sleep(clock, (units / unitsPerSecond) * 1000);
    }
  } while (start);
}

/** How many records the table had when DynamoDB last counted, which it does about every six hours. */
export async function roughCount(client: DynamoDBClient, tableName: string): Promise<number | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    return Table?.ItemCount;
  } catch {
    // Good for the progress bar only: what is really wrong, the scan will say.
    return undefined;
  }
}

const MOST_UNITS = 40_000;

/** @throws CommandError for what is not a number of read units. */
export function unitsOf(text: string): number {
  const units = Number(text);
  if (/^\d+$/.test(text) && units >= 1 && units <= MOST_UNITS) return units;
  throw new CommandError(
    'usage',
    `Read units a second are a whole number from 1 to ${MOST_UNITS}, but it is '${text}'. Leave --read-units out for 50.`,
  );
}
