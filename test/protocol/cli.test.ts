import { BatchWriteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { runCommandLine } from '../../cli/command-line';
import { EXIT } from '../../cli/exit-codes';
import { toAttributes } from '../../layer/attribute-value';
import { systemClock } from '../../layer/clock';
import { createRunOnce } from '../../layer/create-run-once';
import { keyHash, type Observation } from '../../layer/observer';
import type { Item } from '../../layer/table';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { terminalUnderTest } from '../unit/cli/terminal';
import { createTable } from './create-table';

const TABLE = 'records';
let emulator: Emulator;
let client: DynamoDBClient;

beforeAll(async () => {
  emulator = await startEmulator();
  Object.assign(process.env, emulator.env);
  client = new DynamoDBClient({});
  await createTable(client, TABLE);
});

afterAll(async () => {
  client.destroy();
  await emulator.stop();
});

interface Ran {
  exit: number;
  out: string;
  notes: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the command prints.
  json: any[];
}

/** Runs the command line; with an answer, somebody sits at the terminal. */
async function cli(
  argv: string[],
  { answer, env = {} }: { answer?: () => Promise<boolean> | boolean; env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  const terminal = terminalUnderTest(answer);
  const exit = await runCommandLine(argv, {
    terminal,
    clock: systemClock,
    env: { IDEMPOTENCY_TABLE: TABLE, ...env },
  });
  const json = argv.includes('--json') ? terminal.printed.map((line) => JSON.parse(line)) : [];
  return { exit, out: terminal.printed.join('\n'), notes: terminal.noted.join('\n'), json };
}

const seconds = () => Math.floor(Date.now() / 1000);

async function put(item: Item): Promise<void> {
  await client.send(new PutItemCommand({ TableName: TABLE, Item: toAttributes(item) as never }));
}

/** A record of a run that holds its lock for so many seconds yet. */
function held(pk: string, lockSeconds: number, more: Item = {}): Item {
  const expiresAt = seconds() + lockSeconds;
  return { pk, status: 'IN_PROGRESS', expiresAt, owner: `owner-of-${pk}`, attempt: 1, ...more };
}

describe('inspect', () => {
  it('shows what the layer has recorded, and its result only where it is asked for', async () => {
    await createRunOnce({ client, tableName: TABLE })('inspect#1', 30, () => ({ card: '4242', sent: true }));
    const plain = await cli(['inspect', 'inspect#1']);
    expect(plain).toMatchObject({ exit: EXIT.done, notes: '' });
    expect(plain.out).toMatch(/key +inspect#1\n/);
    expect(plain.out).toMatch(/state +completed\n/);
    expect(plain.out).not.toContain('4242');

    const { json } = await cli(['inspect', 'inspect#1', '--json']);
    expect(json).toEqual([
      {
        key: 'inspect#1',
        pk: 'inspect#1',
        keyHash: keyHash('inspect#1'),
        status: 'COMPLETED',
        state: 'completed',
        expiresAt: expect.any(Number),
        lockEndsAt: null,
        ageSeconds: expect.any(Number),
        attempt: 1,
        owner: expect.stringMatching(/^[0-9a-f-]{36}$/),
        outcome: null,
        resultUnavailable: null,
      },
    ]);
    expect(json[0].ageSeconds).toBeLessThan(60);

    const shown = await cli(['inspect', 'inspect#1', '--show-result', '--json']);
    expect(shown.json[0].result).toEqual({ card: '4242', sent: true });
    expect((await cli(['inspect', 'inspect#1', '--show-result'])).out).toContain('"card": "4242"');
  });

  it('finds keys below the function’s prefix', async () => {
    await createRunOnce({ client, tableName: TABLE, keyPrefix: 'mail#' })('7', 30, () => {});
    const { exit, json } = await cli(['inspect', '7', '--json'], {
      env: { IDEMPOTENCY_KEY_PREFIX: 'mail#' },
    });
    expect(exit).toBe(EXIT.done);
    expect(json[0]).toMatchObject({ key: '7', pk: 'mail#7' });
    expect((await cli(['inspect', '7', '--key-prefix', 'mail#'])).out).toMatch(/stored as +mail#7/);

    const twice = await cli(['inspect', 'mail#7'], { env: { IDEMPOTENCY_KEY_PREFIX: 'mail#' } });
    expect(twice.exit).toBe(EXIT.notFound);
    expect(twice.notes).toContain("already begins with the prefix 'mail#'");
  });

  it('says that there is no record, and fails where there is no table', async () => {
    const none = await cli(['inspect', 'nobody', '--json']);
    expect(none).toMatchObject({ exit: EXIT.notFound, out: '' });
    expect(JSON.parse(none.notes)).toMatchObject({
      error: 'notFound',
      message: expect.stringContaining("'nobody'"),
    });

    const wrong = await cli(['inspect', 'nobody', '--table', 'no-such-table']);
    expect(wrong.exit).toBe(EXIT.failed);
    expect(wrong.notes).toMatch(/^ResourceNotFoundException: .* Check the name, the region/);
  });
});

describe('release', () => {
  it('frees the key of a run that is dead, after a question', async () => {
    await put(held('release#1', -60));
    const { exit, out } = await cli(['release', 'release#1'], { answer: () => true });
    expect(exit).toBe(EXIT.done);
    expect(out).toContain('Its run has died');
    expect(out).toContain('The record is released.');
    expect((await cli(['inspect', 'release#1'])).exit).toBe(EXIT.notFound);
  });

  it('deletes nothing without a yes', async () => {
    await put(held('release#2', 600));
    const { exit, out, notes } = await cli(['release', 'release#2'], { answer: () => false });
    expect({ exit, notes }).toEqual({ exit: EXIT.declined, notes: 'Nothing was deleted.' });
    expect(out).toContain('may still be at work');
    const alone = await cli(['release', 'release#2']);
    expect(alone.exit).toBe(EXIT.usage);
    expect(alone.notes).toContain('Give --yes');
    expect((await cli(['inspect', 'release#2'])).exit).toBe(EXIT.done);

    const program = await cli(['release', 'release#2', '--json']);
    expect(JSON.parse(program.notes)).toMatchObject({ error: 'usage' });
    const sure = await cli(['release', 'release#2', '--yes', '--json']);
    expect(sure.notes).toBe('');
    expect(sure.json).toEqual([
      { outcome: 'released', record: expect.objectContaining({ key: 'release#2' }) },
    ]);
  });

  it('leaves the record of another call that has taken over between the showing and the yes', async () => {
    await put(held('release#3', -60));
    const takenOver = held('release#3', 600, { owner: 'another', attempt: 2 });
    const { exit, notes } = await cli(['release', 'release#3'], {
      async answer() {
        await put(takenOver);
        return true;
      },
    });
    expect(exit).toBe(EXIT.refused);
    expect(notes).toContain('it is now in progress, attempt 2, owner another');
    expect((await cli(['inspect', 'release#3', '--json'])).json[0]).toMatchObject({ owner: 'another' });
  });

  it('leaves the record of a run that was shown as dead, and extends its lock', async () => {
    await put(held('release#8', -5));
    const { exit, notes } = await cli(['release', 'release#8'], {
      async answer() {
        await put(held('release#8', 60));
        return true;
      },
    });
    expect(exit).toBe(EXIT.refused);
    expect(notes).toContain('it is now in progress, attempt 1, owner owner-of-release#8');
    expect((await cli(['inspect', 'release#8'])).exit).toBe(EXIT.done);
  });

  it('releases a run that was shown alive, whatever its heartbeat does meanwhile', async () => {
    await put(held('release#9', 60));
    const { exit } = await cli(['release', 'release#9'], {
      async answer() {
        await put(held('release#9', 90));
        return true;
      },
    });
    expect(exit).toBe(EXIT.done);
  });

  it('leaves a record that its call has completed in the meantime', async () => {
    const record = held('release#4', 600);
    await put(record);
    const { exit } = await cli(['release', 'release#4'], {
      async answer() {
        await put({ ...record, status: 'COMPLETED', expiresAt: seconds() + 86_400 });
        return true;
      },
    });
    expect(exit).toBe(EXIT.refused);
    expect((await cli(['inspect', 'release#4', '--json'])).json[0]).toMatchObject({ state: 'completed' });
    const completed = await cli(['release', 'release#4', '--yes']);
    expect(completed.exit).toBe(EXIT.refused);
    expect(completed.notes).toContain('run-once forget');
  });

  it('releases a call that has only extended its lock', async () => {
    const record = held('release#5', 5);
    await put(record);
    const { exit } = await cli(['release', 'release#5'], {
      async answer() {
        await put({ ...record, expiresAt: seconds() + 600 });
        return true;
      },
    });
    expect(exit).toBe(EXIT.done);
  });

  it('tells records of the classic form apart by the end of their lock', async () => {
    const classic = { pk: 'release#6', status: 'IN_PROGRESS', expiresAt: seconds() - 60 };
    await put(classic);
    const changed = await cli(['release', 'release#6'], {
      async answer() {
        await put({ ...classic, expiresAt: seconds() + 600 });
        return true;
      },
    });
    expect(changed.exit).toBe(EXIT.refused);
    // The new code has taken it over.
    const claimed = await cli(['release', 'release#6'], {
      async answer() {
        await put({ ...classic, expiresAt: seconds() + 600, owner: 'new', attempt: 2 });
        return true;
      },
    });
    expect(claimed.exit).toBe(EXIT.refused);
    await put(classic);
    const completed = await cli(['release', 'release#6'], {
      async answer() {
        await put({ ...classic, status: 'COMPLETED' });
        return true;
      },
    });
    expect(completed.exit).toBe(EXIT.refused);
    await put(classic);
    expect((await cli(['release', 'release#6', '--yes'])).exit).toBe(EXIT.done);
    expect((await cli(['inspect', 'release#6'])).exit).toBe(EXIT.notFound);
  });

  it('is content with a record that is gone by then', async () => {
    await put(held('release#7', -60));
    const { exit, json } = await cli(['release', 'release#7', '--json'], {
      async answer() {
        await cli(['release', 'release#7', '--yes']);
        return true;
      },
    });
    expect({ exit, outcome: json[0].outcome }).toEqual({ exit: EXIT.done, outcome: 'gone' });
  });
});

describe('forget', () => {
  it('lets a completed operation run again, and says so before', async () => {
    const runOnce = createRunOnce({ client, tableName: TABLE });
    let runs = 0;
    const work = () => ++runs;
    await runOnce('forget#1', 30, work);
    const { exit, out } = await cli(['forget', 'forget#1'], { answer: () => true });
    expect(exit).toBe(EXIT.done);
    expect(out).toContain('WILL RUN AGAIN');
    expect(await runOnce('forget#1', 30, work)).toBe(2);
  });

  it('leaves what has been forgotten and done again in the meantime', async () => {
    const done = held('forget#2', 86_400, { status: 'COMPLETED' });
    await put(done);
    const { exit } = await cli(['forget', 'forget#2'], {
      async answer() {
        await put({ ...done, owner: 'another' });
        return true;
      },
    });
    expect(exit).toBe(EXIT.refused);
    expect((await cli(['inspect', 'forget#2', '--json'])).json[0]).toMatchObject({ owner: 'another' });
  });

  it('leaves what is in progress', async () => {
    await put(held('forget#3', 600));
    const { exit, notes } = await cli(['forget', 'forget#3', '--yes']);
    expect(exit).toBe(EXIT.refused);
    expect(notes).toContain('run-once release');
  });

  it('forgets records of the classic form', async () => {
    const classic = {
      pk: 'forget#4',
      status: 'COMPLETED',
      expiresAt: seconds() + 600,
      result: { sent: true },
    };
    await put(classic);
    expect((await cli(['inspect', 'forget#4', '--show-result', '--json'])).json[0]).toMatchObject({
      owner: null,
      result: { sent: true },
    });
    expect((await cli(['forget', 'forget#4', '--yes'])).exit).toBe(EXIT.done);
    expect((await cli(['forget', 'forget#4', '--yes'])).exit).toBe(EXIT.notFound);
  });
});

describe('an alarm on a takeover', () => {
  it('leads by its key’s hash to the record, and the dead run’s key is free', async () => {
    const seen: Observation[] = [];
    const chargeOnce = createRunOnce({ client, tableName: TABLE, observer: (each) => seen.push(each) });
    await put(held('charge#1042', -60));
    await chargeOnce('charge#1042', 30, () => 'charged');
    const hash = seen.find(({ outcome }) => outcome === 'takenOver')?.keyHash ?? '';
    const { json } = await cli(['list', '--hash', hash, '--json']);
    expect(json).toEqual([expect.objectContaining({ key: 'charge#1042', attempt: 2, state: 'completed' })]);

    await put(held('charge#1043', -3600));
    const stuck = await cli([
      'list',
      '--status',
      'in-progress',
      '--older-than',
      '15m',
      '--prefix',
      'charge#',
      '--json',
    ]);
    expect(stuck.json.map(({ key }) => key)).toEqual(['charge#1043']);
    expect((await cli(['release', 'charge#1043', '--yes'])).exit).toBe(EXIT.done);
    expect(await chargeOnce('charge#1043', 30, ({ attempt }) => attempt)).toBe(1);
  });
});

describe('wait', () => {
  it('ends with the completion', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const running = createRunOnce({ client, tableName: TABLE })('wait#1', 60, () => finished);
    await until(async () => (await cli(['inspect', 'wait#1'])).exit === EXIT.done);
    setTimeout(finish, 700);
    const { exit, json } = await cli(['wait', 'wait#1', '--json']);
    await running;
    expect(exit).toBe(EXIT.done);
    expect(json).toEqual([expect.objectContaining({ state: 'completed' })]);
  });

  it('tells a run that is still at work, one that has died, and none', async () => {
    await put(held('wait#2', 600));
    const late = await cli(['wait', 'wait#2', '--timeout', '1s']);
    expect(late.exit).toBe(EXIT.timedOut);
    expect(late.notes).toMatch(/Still in progress after 1 s; its lock ends in 9 min/);
    await put(held('wait#3', -5));
    expect((await cli(['wait', 'wait#3'])).exit).toBe(EXIT.lockEnded);
    expect((await cli(['wait', 'wait#4'])).exit).toBe(EXIT.notFound);
  });
});

describe('a table of 500 records', () => {
  const many = { env: { IDEMPOTENCY_TABLE: 'many' } };

  beforeAll(async () => {
    await createTable(client, 'many');
    const now = seconds();
    const records = Array.from({ length: 500 }, (_, index): Item => {
      const pk = `${index % 2 === 0 ? 'orders' : 'mails'}#${index}`;
      const record = { pk, owner: `owner-${index}`, attempt: 1 };
      if (index < 10) return { ...record, status: 'IN_PROGRESS', expiresAt: now + 600 };
      if (index < 30) return { ...record, status: 'IN_PROGRESS', expiresAt: now - 3 * 3600, attempt: 2 };
      if (index < 40) return { pk, status: 'COMPLETED', expiresAt: now + 86_400, result: 'secret' };
      if (index < 50) return { ...record, status: 'COMPLETED', expiresAt: now - 60, result: '"secret"' };
      return { ...record, status: 'COMPLETED', expiresAt: now + 86_400 - 120, result: '"secret"' };
    });
    for (let at = 0; at < records.length; at += 25) {
      const puts = records
        .slice(at, at + 25)
        .map((item) => ({ PutRequest: { Item: toAttributes(item) as never } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { many: puts } }));
    }
  });

  it('is counted by state and age', async () => {
    const { exit, json } = await cli(['stats', '--json'], many);
    expect(exit).toBe(EXIT.done);
    expect(json).toEqual([
      {
        table: 'many',
        keyPrefix: '',
        records: 500,
        states: {
          inProgress: { under15m: 0, under1h: 0, under1d: 0, older: 0, total: 10 },
          lockEnded: { under15m: 0, under1h: 0, under1d: 20, older: 0, total: 20 },
          completed: { under15m: 460, under1h: 0, under1d: 0, older: 0, total: 460 },
          expired: { under15m: 0, under1h: 0, under1d: 0, older: 10, total: 10 },
        },
        claimedAgain: 20,
        resultUnavailable: 0,
        classic: 10,
        readUnits: expect.any(Number),
      },
    ]);
    const { out } = await cli(['stats'], many);
    expect(out).toMatch(/lock ended +0 +0 +20 +0 +20/);
    expect(out).toContain('500 records in table many');
  });

  it('is counted below the function’s prefix only', async () => {
    const { json } = await cli(['stats', '--json', '--key-prefix', 'orders#'], many);
    expect(json[0]).toMatchObject({ keyPrefix: 'orders#', records: 250 });
  });

  it('is listed by status, age and prefix, in lines of JSON', async () => {
    const stuck = ['list', '--status', 'in-progress', '--older-than', '15m', '--prefix', 'orders#'];
    const { exit, json } = await cli([...stuck, '--json'], many);
    expect(exit).toBe(EXIT.done);
    expect(json.map(({ key }) => key).sort()).toEqual(
      [10, 12, 14, 16, 18, 20, 22, 24, 26, 28].map((index) => `orders#${index}`),
    );
    expect(json[0]).toMatchObject({ state: 'lockEnded', attempt: 2 });

    const { out, notes } = await cli(stuck, many);
    expect(out.split('\n')).toHaveLength(11);
    expect(notes).toBe('10 records');
    const all = await cli(['list'], many);
    expect(all.out.split('\n')).toHaveLength(501);
    expect(all.notes).toBe('500 records');
    expect(all.out).not.toContain('secret');
  });

  it('lists keys as they are given to the command line', async () => {
    const { json } = await cli(['list', '--json', '--prefix', '499'], {
      env: { ...many.env, IDEMPOTENCY_KEY_PREFIX: 'mails#' },
    });
    expect(json).toEqual([expect.objectContaining({ key: '499', pk: 'mails#499' })]);
  });

  it('has the record that an alarm’s log line names', async () => {
    const found = await cli(['list', '--hash', keyHash('mails#33'), '--json'], many);
    expect(found.json).toEqual([expect.objectContaining({ key: 'mails#33' })]);
    const none = await cli(['list', '--hash', '0123456789abcdef'], many);
    expect(none.exit).toBe(EXIT.notFound);
    expect(none.notes).toContain('0123456789abcdef');
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await holds())) if (Date.now() > deadline) throw new Error('It never came to hold.');
}
