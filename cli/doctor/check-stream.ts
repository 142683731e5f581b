import type { EventSourceMappingConfiguration } from '@aws-sdk/client-lambda';
import { checkRetention } from './check-retention';
import { advice, type Finding, failed, passed } from './finding';

// How long a stream of DynamoDB keeps its records; Kinesis keeps them for up to a year.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
const DYNAMODB_SECONDS = 86_400;
const KINESIS_SECONDS = 365 * 86_400;

/** A stream's limits: without them, one record that always fails holds up its shard until it expires. */
export function checkStream(
  mapping: EventSourceMappingConfiguration,
  keepFor: number | undefined,
): Finding[] {
  const arn = mapping.EventSourceArn ?? '';
  const subject = arn.split(':').slice(5).join(':');
  const named = (check: string) => ({ check: `stream.${check}`, subject });
  return [
    retries(named('retries'), mapping.MaximumRetryAttempts ?? -1),
    age(named('age'), mapping.MaximumRecordAgeInSeconds ?? -1, arn, keepFor),
    onFailure(named('on_failure'), mapping.DestinationConfig?.OnFailure?.Destination),
    bisect(named('bisect'), mapping.BisectBatchOnFunctionError ?? false),
  ];
}

type Named = Pick<Finding, 'check' | 'subject'>;

function retries(named: Named, attempts: number): Finding {
  if (attempts >= 0) return passed(named, `a batch is tried ${attempts} times again`);
  return failed(named, 'a batch that fails is tried again without end, and holds up its shard', {
    fix: 'Bound its retries.',
    terraform: 'maximum_retry_attempts = 10',
  });
}

function age(named: Named, seconds: number, arn: string, keepFor: number | undefined): Finding {
  const whole = arn.split(':')[2] === 'dynamodb' ? DYNAMODB_SECONDS : KINESIS_SECONDS;
  const longest = seconds < 0 ? whole : seconds;
  const fix = 'Give records up no later than results, or keep results for as long.';
  const terraform = `maximum_record_age_in_seconds = ${keepFor}`;
  return checkRetention(named, { what: 'a record', longest, fix, terraform }, keepFor);
}

function onFailure(named: Named, destination: string | undefined): Finding {
  if (destination) return passed(named, `what is given up goes to ${destination}`);
  return failed(named, 'what is given up is lost', {
    fix: 'Send it to a queue.',
    terraform:
      'destination_config {\n  on_failure {\n    destination_arn = aws_sqs_queue.given_up.arn\n  }\n}',
  });
}

function bisect(named: Named, on: boolean): Finding {
  if (on) return passed(named, 'a batch that fails as a whole is tried in halves');
  return advice(
    named,
    'a batch that fails as a whole, as by a timeout, is tried as a whole, and given up as one',
    {
      fix: 'Let it be tried in halves.',
      terraform: 'bisect_batch_on_function_error = true',
    },
  );
}
