import type { FunctionConfiguration, FunctionEventInvokeConfig } from '@aws-sdk/client-lambda';
import { inWords } from '../duration';
import { retentionOf } from './check-function';
import { advice, type Finding, failed, passed } from './finding';

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
  const keepFor = retentionOf(config);
  return [
    age(named('age'), settings?.MaximumEventAgeInSeconds ?? DEFAULT_AGE_SECONDS, keepFor),
    retries(named('retries'), settings?.MaximumRetryAttempts ?? DEFAULT_RETRIES),
    onFailure(
      named('on_failure'),
      settings?.DestinationConfig?.OnFailure?.Destination || config.DeadLetterConfig?.TargetArn,
    ),
  ];
}

type Named = Pick<Finding, 'check' | 'subject'>;

function age(named: Named, longest: number, keepFor: number): Finding {
  if (longest <= keepFor) {
    return passed(
      named,
      `an event is given up after ${inWords(longest)}, results are kept for ${inWords(keepFor)}`,
    );
  }
  return failed(
    named,
    `an event may come again for ${inWords(longest)}, but results are kept for ${inWords(keepFor)}: later ones run again`,
    {
      fix: 'Give events up no later than results, or keep results for as long.',
      terraform: `maximum_event_age_in_seconds = ${Math.max(60, keepFor)}`,
    },
  );
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
    terraform: 'destination_config { on_failure { destination = aws_sqs_queue.given_up.arn } }',
  });
}
