import type { FunctionConfiguration, FunctionEventInvokeConfig } from '@aws-sdk/client-lambda';
import { checkRetention, retentionOf } from './check-retention';
import { advice, type Finding, passed } from './finding';

// What holds where nothing is set: https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
const DEFAULT_RETRIES = 2;
const DEFAULT_AGE_SECONDS = 6 * 60 * 60;

/** How Lambda tries asynchronous events again, as of S3, SNS and EventBridge. */
export function checkAsync(
  subject: string,
  config: FunctionConfiguration,
  settings: FunctionEventInvokeConfig | undefined,
): Finding[] {
  const named = (check: string) => ({ check: `async.${check}`, subject });
  return [
    age(named('age'), settings?.MaximumEventAgeInSeconds ?? DEFAULT_AGE_SECONDS, retentionOf(config)),
    retries(named('retries'), settings?.MaximumRetryAttempts ?? DEFAULT_RETRIES),
    onFailure(
      named('on_failure'),
      settings?.DestinationConfig?.OnFailure?.Destination || config.DeadLetterConfig?.TargetArn,
    ),
  ];
}

type Named = Pick<Finding, 'check' | 'subject'>;

function age(named: Named, longest: number, keepFor: number | undefined): Finding {
  const fix = 'Keep results for as long, or give events up earlier.';
  const terraform = `keep_for_seconds = ${longest}`;
  return checkRetention(named, { what: 'an event', longest, fix, terraform }, keepFor);
}

function retries(named: Named, attempts: number): Finding {
  if (attempts > 0) return passed(named, `an event is tried ${attempts} times again`);
  return advice(named, 'an event that fails is never tried again, though that would be harmless', {
    fix: 'Let it be tried again.',
    terraform: 'maximum_retry_attempts = 2',
  });
}

function onFailure(named: Named, destination: string | undefined): Finding {
  if (destination) return passed(named, `what is given up goes to ${destination}`);
  return advice(named, 'what is given up is lost, if the function is invoked asynchronously', {
    fix: 'Where S3, SNS, EventBridge or the like invoke it, send what is given up to a queue.',
    terraform: 'destination_config {\n  on_failure {\n    destination = aws_sqs_queue.given_up.arn\n  }\n}',
  });
}
