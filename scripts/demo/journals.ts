import { type CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import type { Entry } from '../../examples/sqs-orders/src/journal';

/** Everything that the functions say they did, from their logs. */
export async function readJournals(logs: CloudWatchLogsClient, groups: string[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const logGroupName of groups) {
    for await (const { events = [] } of paginateFilterLogEvents({ client: logs }, { logGroupName })) {
      for (const { message = '' } of events) {
        // Lambda writes lines of its own between the function's.
        const [json] = /\{.*\}/.exec(message) ?? [];
        if (json !== undefined) entries.push(JSON.parse(json));
      }
    }
  }
  return entries;
}
