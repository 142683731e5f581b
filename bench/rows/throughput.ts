import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startEmulator } from '../../scripts/emulator';
import {
  interleaved,
  type Line,
  measure,
  NODE_VERSIONS,
  type Row,
  ratio,
  type Subject,
  spread,
} from '../measure';
import { startStub } from '../stub';

const TARGET = 0.95;
const RUNS = 10_000;
const CONCURRENCY = 200;

export const throughput: Row = async (repetitions) => {
  const stub = await startStub();
  const lines = await over('the stub', stub.endpoint, repetitions);
  stub.stop();
  const emulator = await startEmulator();
  const client = new DynamoDBClient({
    endpoint: emulator.endpoint,
    region: emulator.region,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  await client.send(
    new CreateTableCommand({
      TableName: 'records',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  try {
    return [...lines, ...(await over('MiniStack', emulator.endpoint, repetitions))];
  } finally {
    await emulator.stop();
  }
};

async function over(place: string, endpoint: string, repetitions: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const node of NODE_VERSIONS) {
    const of = (subject: Subject) => async () =>
      Number(await measure(node, 'throughput.mjs', [subject, RUNS, CONCURRENCY], endpoint));
    const { ours, bare } = await interleaved(repetitions, { ours: of('ours'), bare: of('bare') });
    const result = ratio(ours, bare);
    lines.push({
      figure: `throughput, ${CONCURRENCY} keys at once, ${place}`,
      node,
      unit: 'runs/s',
      ours: spread(ours),
      bare: spread(bare),
      target: `≥ ${TARGET} × bare`,
      result: `${result.toFixed(2)} ×`,
      met: result >= TARGET,
    });
  }
  return lines;
}
