import type { EventSourceMappingConfiguration } from '@aws-sdk/client-lambda';
import { advice, type Finding, failed, passed } from './finding';

/** What queues and streams have in common. */
export function checkMapping(mapping: EventSourceMappingConfiguration): Finding[] {
  const subject = (mapping.EventSourceArn ?? '').split(':').slice(5).join(':');
  return [partialResponses(subject, mapping), ...enabled(subject, mapping)];
}

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html */
function partialResponses(
  subject: string,
  { FunctionResponseTypes = [] }: EventSourceMappingConfiguration,
): Finding {
  const named = { check: 'mapping.partial_responses', subject };
  if (FunctionResponseTypes.includes('ReportBatchItemFailures')) {
    return passed(named, 'ReportBatchItemFailures is on');
  }
  return failed(
    named,
    'ReportBatchItemFailures is off: Lambda takes what a handler of the layer reports as failed for done, and deletes it',
    { fix: 'Turn it on.', terraform: 'function_response_types = ["ReportBatchItemFailures"]' },
  );
}

function enabled(subject: string, { State = '' }: EventSourceMappingConfiguration): Finding[] {
  if (!/^Disabl/.test(State)) return [];
  return [
    advice({ check: 'mapping.enabled', subject }, `it is ${State.toLowerCase()}: nothing is consumed`, {
      fix: 'Turn it on, unless it is off on purpose.',
      terraform: 'enabled = true',
    }),
  ];
}
