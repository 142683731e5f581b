import { PassThrough } from 'node:stream';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inspect } from '../../../cli/inspect';
import { withProgress } from '../../../cli/progress';
import { listOf, oneLine, sheetOf, viewOf } from '../../../cli/record-view';
import { type ScannedPage, scan } from '../../../cli/scan';
import type { Session } from '../../../cli/session';
import { ageOf, stateOf } from '../../../cli/state';
import { count, emptyStats } from '../../../cli/stats';
import { confirmBy } from '../../../cli/terminal';
import type { IdempotencyRecord } from '../../../layer/record';
import { encodeResult } from '../../../layer/result';
import { sleepersClock, terminalUnderTest } from './terminal';

const NOW = Date.UTC(2026, 11, 2, 18, 0, 0);
const at = (seconds: number) => NOW / 1000 + seconds;
const settings = { tableName: 'records', keyPrefix: '', keepForSeconds: 86_400, json: false };

const record = (more: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  status: 'IN_PROGRESS',
  expiresAt: at(60),
  attempt: 1,
  owner: 'me',
  ...more,
});

describe('a record’s state', () => {
  it.each([
    ['inProgress', record({ expiresAt: at(0) })],
    ['lockEnded', record({ expiresAt: at(-1) })],
    // It outlives its lock, for calls that do not retry what has died.
    ['lockEnded', record({ expiresAt: at(3600), lockedUntil: at(-1) })],
    ['inProgress', record({ expiresAt: at(3600), lockedUntil: at(1) })],
    ['completed', record({ status: 'COMPLETED', expiresAt: at(0) })],
    ['expired', record({ status: 'COMPLETED', expiresAt: at(-1) })],
  ])('is %s', (state, of) => {
    expect(stateOf(of, NOW)).toBe(state);
  });

  it('has an age once something is over', () => {
    expect(ageOf(record(), 86_400, NOW)).toBeUndefined();
    expect(ageOf(record({ expiresAt: at(-90) }), 86_400, NOW)).toBe(90);
    expect(ageOf(record({ expiresAt: at(9999), lockedUntil: at(-90) }), 86_400, NOW)).toBe(90);
    expect(ageOf(record({ status: 'COMPLETED', expiresAt: at(86_400 - 30) }), 86_400, NOW)).toBe(30);
    // Kept for longer than the command line was told.
    expect(ageOf(record({ status: 'COMPLETED', expiresAt: at(99_999) }), 86_400, NOW)).toBe(0);
  });

  it('is counted by age, each bound belonging to the next', () => {
    const stats = emptyStats('records', '');
    for (const seconds of [899, 900, 3599, 3600, 86_399, 86_400]) {
      count(stats, record({ expiresAt: at(-seconds) }), 86_400, NOW);
    }
    count(stats, record({ attempt: 2 }), 86_400, NOW);
    count(
      stats,
      record({ status: 'COMPLETED', expiresAt: at(86_400), resultUnavailable: 'large' }),
      86_400,
      NOW,
    );
    expect(stats.states.lockEnded).toEqual({ under15m: 1, under1h: 2, under1d: 2, older: 1, total: 6 });
    expect(stats.states.inProgress.total).toBe(1);
    expect(stats).toMatchObject({ records: 8, claimedAgain: 1, resultUnavailable: 1, classic: 0 });
  });
});

describe('a record’s sheet', () => {
  it('has what is so, and no more', () => {
    const view = viewOf('mail#7', record({ expiresAt: at(-75) }), { ...settings, keyPrefix: 'mail#' }, NOW);
    expect(sheetOf(view, NOW).split('\n')).toEqual([
      'key         7',
      'stored as   mail#7',
      expect.stringMatching(/^key hash {4}[0-9a-f]{16}$/),
      'state       lock ended',
      'lock ended  2026-12-02T17:58:45Z (1 min 15 s ago)',
      'attempt     1',
      'owner       me',
    ]);
  });

  it('tells an error, a result that is missing, and the classic form', () => {
    const completed = record({ status: 'COMPLETED', outcome: 'ERROR', resultUnavailable: 'too large' });
    expect(sheetOf(viewOf('a', completed, settings, NOW), NOW)).toMatch(
      /outcome +ERROR\nresult unavailable +too large/,
    );
    const { owner: _, ...classic } = record();
    expect(sheetOf(viewOf('a', classic, settings, NOW), NOW)).toContain(
      'none (a record of the classic form)',
    );
  });

  it('shows times that are none as they are', () => {
    const view = viewOf('a', record({ status: 'COMPLETED', expiresAt: 1e15 }), settings, NOW);
    expect(sheetOf(view, NOW)).toContain('kept until  1000000000000000 (in ');
  });

  it('lets no key command the terminal', () => {
    expect(oneLine('a\u001b[2Jb\nc\u202e\u009b')).toBe('a\\u{1b}[2Jb\\u{a}c\\u{202e}\\u{9b}');
    const view = viewOf('a\u001b]0;b', record(), settings, NOW);
    expect(listOf([view], NOW)).not.toContain('\u001b');
    expect(sheetOf(view, NOW)).not.toContain('\u001b');
    expect(oneLine('Grüße #1042 😀')).toBe('Grüße #1042 😀');
  });
});

describe('inspect --show-result', () => {
  async function shown(found: IdempotencyRecord, json: boolean) {
    const terminal = terminalUnderTest();
    const session = {
      terminal,
      clock: sleepersClock(NOW),
      settings: { ...settings, json },
      records: { find: async () => found },
    } as unknown as Session;
    await inspect(session, 'a', { showResult: true });
    return json ? JSON.parse(terminal.printed[0] as string) : terminal.printed.join('\n');
  }

  const completed = async (value: unknown) => record({ status: 'COMPLETED', ...(await encodeResult(value)) });

  it('shows JSON as JSON, and what JSON cannot hold as Node.js shows it', async () => {
    expect(await shown(await completed({ sent: true }), true)).toMatchObject({ result: { sent: true } });
    expect(await shown(await completed({ sent: true }), false)).toContain('{\n  "sent": true\n}');
    const map = await shown(await completed(new Map([['a', 1n]])), true);
    expect(map).toMatchObject({ resultText: "Map(1) { 'a' => 1n }" });
    expect(map).not.toHaveProperty('result');
    expect(await shown(await completed(undefined), true)).toMatchObject({ resultText: 'undefined' });
    const large = 'x'.repeat(10_000);
    expect(await shown(await completed({ large }), true)).toMatchObject({ result: { large } });
  });

  it.each([
    ['none yet', record()],
    ['not stored: it is too large', record({ status: 'COMPLETED', resultUnavailable: 'it is too large' })],
    ["encoded by the codec 'v1'", record({ status: 'COMPLETED', result: 'x', codec: 'v1' })],
    ['cannot be read', record({ status: 'COMPLETED', result: '{' })],
  ])('says %s', async (text, of) => {
    expect((await shown(of, true)).resultText).toContain(text);
  });
});

describe('a scan', () => {
  const page = (count: number, units: number | undefined, more = true) => ({
    Items: Array.from({ length: count }, (_, index) => ({
      pk: { S: `k${index}` },
      status: { S: 'COMPLETED' },
    })),
    ScannedCount: count,
    ...(units !== undefined && { ConsumedCapacity: { CapacityUnits: units } }),
    ...(more && { LastEvaluatedKey: { pk: { S: 'last' } } }),
  });

  async function scanned(answers: object[], unitsPerSecond: number, prefix = '') {
    // biome-ignore lint/suspicious/noExplicitAny: the input of a command.
    const inputs: any[] = [];
    const client = {
      send: async ({ input }: { input: object }) => {
        inputs.push(input);
        return answers[inputs.length - 1];
      },
    } as unknown as DynamoDBClient;
    const clock = sleepersClock(NOW);
    const pages: ScannedPage[] = [];
    for await (const each of scan(client, { tableName: 'records', prefix, unitsPerSecond }, clock))
      pages.push(each);
    return { inputs, pages, slept: clock.slept };
  }

  it('takes so many units a second, in pages of about a second', async () => {
    const { inputs, pages, slept } = await scanned([page(100, 200), page(25, 50), page(25, 25, false)], 50);
    expect(slept).toEqual([4000, 1000]);
    expect(inputs.map(({ Limit }) => Limit)).toEqual([100, 25, 25]);
    expect(inputs.map(({ ExclusiveStartKey }) => ExclusiveStartKey)).toEqual([
      undefined,
      { pk: { S: 'last' } },
      { pk: { S: 'last' } },
    ]);
    expect(pages.map(({ units }) => units)).toEqual([200, 50, 25]);
  });

  it('asks for one record at least, and goes by what a page held, not by what it might have', async () => {
    const { inputs } = await scanned([page(10, 128), page(0, 128), page(1, 1, false)], 1);
    expect(inputs.map(({ Limit }) => Limit)).toEqual([100, 1, 1]);
  });

  it('does without units where they are not told', async () => {
    const { slept, pages } = await scanned([page(100, undefined), page(1, undefined, false)], 50);
    expect({ slept, units: pages.map(({ units }) => units) }).toEqual({ slept: [], units: [0, 0] });
  });

  it('fetches no result, and only keys that begin with the prefix', async () => {
    const { inputs } = await scanned([page(1, 1, false)], 50, 'orders#');
    expect(inputs[0]).toMatchObject({
      FilterExpression: 'begins_with(#pk, :prefix)',
      ExpressionAttributeValues: { ':prefix': { S: 'orders#' } },
    });
    expect(Object.values(inputs[0].ExpressionAttributeNames)).not.toContain('result');
    expect((await scanned([page(1, 1, false)], 50)).inputs[0]).not.toHaveProperty('FilterExpression');
  });
});

describe('progress', () => {
  async function* pages(): AsyncGenerator<ScannedPage> {
    yield { records: [], scanned: 10, units: 1 };
    yield { records: [], scanned: 5, units: 1 };
  }

  it.each([
    ['with somebody who watches', () => true, false, 1],
    ['with nobody who watches', undefined, false, 0],
    ['to a program', () => true, true, 0],
  ])('passes the pages on, %s', async (_, answer, json, counted) => {
    let counts = 0;
    const seen: number[] = [];
    const total = async () => {
      counts++;
      return undefined;
    };
    const session = { terminal: terminalUnderTest(answer), settings: { ...settings, json } };
    for await (const { scanned } of withProgress(pages(), total, session)) seen.push(scanned);
    expect({ seen, counts }).toEqual({ seen: [10, 5], counts: counted });
  });
});

describe('a question', () => {
  async function answered(typed: string | undefined) {
    const input = new PassThrough();
    const output = new PassThrough();
    const answer = confirmBy(input, output, 'Delete this record?');
    if (typed === undefined) input.end();
    else input.write(`${typed}\n`);
    return { answer: await answer, shown: String(output.read()) };
  }

  it.each(['y', 'Y', 'yes', ' YES '])('is answered yes by %j', async (typed) => {
    expect(await answered(typed)).toEqual({ answer: true, shown: 'Delete this record? [y/N] ' });
  });

  it.each(['', 'n', 'no', 'yesterday', 'ja', undefined])('is answered no by %j', async (typed) => {
    expect((await answered(typed)).answer).toBe(false);
  });
});
