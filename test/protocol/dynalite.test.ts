import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { clientTable } from '../../layer/client-table';
import { describeProtocol } from '../protocol-suite';
import { tableUnderTest } from './create-table';

// A DynamoDB that knows nothing of returned items: the fallback, a strongly consistent read, for real.
let server: Server;
let client: DynamoDBClient;

beforeAll(async () => {
  server = dynalite({ createTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});

afterAll(() => {
  client.destroy();
  server.close();
});

describeProtocol('a DynamoDB without returned items and transactions', async () => {
  const { effects: _, ...under } = await tableUnderTest(client, 'no-returned-items', clientTable(client));
  return under;
});
