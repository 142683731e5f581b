import { DynamoDB, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import AWS from 'aws-sdk';
import AWSof2022 from 'aws-sdk-2022';
import { clientTable } from '../../layer/client-table';
import { documentClientTable } from '../../layer/document-client-table';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { describeProtocol } from '../protocol-suite';
import { tableUnderTest } from './create-table';

let emulator: Emulator;
let client: DynamoDBClient;
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

beforeAll(async () => {
  emulator = await startEmulator();
  client = new DynamoDBClient({ endpoint: emulator.endpoint, region: emulator.region, credentials });
});

afterAll(async () => {
  client.destroy();
  await emulator.stop();
});

describeProtocol('DynamoDB by the layer’s own client', () => {
  Object.assign(process.env, emulator.env);
  return tableUnderTest(client, 'own-client', clientTable());
});

describeProtocol('DynamoDB by a DynamoDBClient of the caller', () => {
  return tableUnderTest(client, 'callers-client', clientTable(client));
});

describeProtocol('DynamoDB by a DynamoDB of the caller', () => {
  const caller = new DynamoDB({ endpoint: emulator.endpoint, region: emulator.region, credentials });
  return tableUnderTest(client, 'callers-aggregated-client', clientTable(caller));
});

describeProtocol('DynamoDB by a DocumentClient of aws-sdk v2', () => {
  return tableUnderTest(client, 'document-client', documentClientTable(documentClient(AWS)));
});

describeProtocol('DynamoDB by a DocumentClient older than returned items', () => {
  return tableUnderTest(client, 'old-document-client', documentClientTable(documentClient(AWSof2022)));
});

function documentClient(sdk: typeof AWS) {
  return new sdk.DynamoDB.DocumentClient({
    endpoint: emulator.endpoint,
    region: emulator.region,
    ...credentials,
  });
}
