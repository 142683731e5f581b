import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { awsEnvironment } from '../../scripts/emulator';

const root = join(import.meta.dirname, '../..');
const seconds = () => Math.floor(Date.now() / 1000);
const record = (pk: string) => ({
  pk: { S: pk },
  status: { S: 'IN_PROGRESS' },
  expiresAt: { N: String(seconds() + 600) },
  owner: { S: 'one' },
  attempt: { N: '1' },
});

let server: Server;
let endpoint: string;

/** A table whose one record is another's by the time that it is to be deleted, which takes a while. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1];
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(body));
    };
    request.resume().on('end', () => {
      if (operation === 'GetItem') return answer(200, { Item: record('k') });
      if (operation === 'Scan') return answer(200, { Items: [record('k'), record('l')] });
      const Item = { ...record('k'), owner: { S: 'another' } };
      const refused = { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', Item };
      setTimeout(answer, 400, 400, refused);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** The exit code of the command line whose reader does not read. */
async function exitOf(args: string, pipe: string): Promise<number | undefined> {
  const command = `"${process.execPath}" --import tsx cli/main.ts ${args} ${pipe}; exit "\${PIPESTATUS[0]}"`;
  const { exitCode } = await execa('bash', ['-c', command], {
    cwd: root,
    reject: false,
    env: { ...awsEnvironment(endpoint), IDEMPOTENCY_TABLE: 'records', NODE_OPTIONS: '' },
  });
  return exitCode;
}

it.each(['>/dev/null', '| true', '2>&1 | true'])(
  'a deletion that is refused tells so with %s',
  async (pipe) => {
    expect(await exitOf('release k --yes', pipe)).toBe(4);
  },
  30_000,
);

it('a list whose reader has seen enough is done', async () => {
  expect(await exitOf('list --json', '| true')).toBe(0);
}, 30_000);
