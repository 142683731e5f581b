import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../layer/clock';
import { type Records, recordsOf } from './records';
import { type Settings, settingsOf, type TableOptions } from './settings';
import type { Terminal } from './terminal';

/** What the command line runs in. */
export interface World {
  terminal: Terminal;
  clock: Clock;
  env: NodeJS.ProcessEnv;
}

/** What a command works with. Region, credentials and endpoint are those of the SDK's usual configuration. */
export interface Session extends World {
  settings: Settings;
  client: DynamoDBClient;
  records: Records;
}

export function sessionOf(world: World, options: TableOptions): Session {
  const settings = settingsOf(options, world.env);
  const client = new DynamoDBClient({});
  return { ...world, settings, client, records: recordsOf(client, settings.tableName) };
}
