import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { inWords, secondsOf } from '../../../cli/duration';
import { CommandError, EXIT } from '../../../cli/exit-codes';
import { explained, failureOf } from '../../../cli/failure';
import { pkOf, settingsOf } from '../../../cli/settings';
import { systemClock } from '../../../layer/clock';
import { ConfigurationError } from '../../../layer/errors';
import { terminalUnderTest } from './terminal';

async function cli(argv: string[], env: NodeJS.ProcessEnv = { IDEMPOTENCY_TABLE: 'records' }) {
  const terminal = terminalUnderTest();
  const exit = await runCommandLine(argv, { terminal, clock: systemClock, env });
  return { exit, out: terminal.printed.join('\n'), notes: terminal.noted.join('\n') };
}

describe('the command line', () => {
  it.each([['--help'], ['help'], ['list', '--help'], ['help', 'forget']])(
    'has help by %s %s',
    async (...argv) => {
      const { exit, out, notes } = await cli(argv.filter(Boolean));
      expect({ exit, notes }).toEqual({ exit: EXIT.done, notes: '' });
      expect(out).toMatch(/^Usage: run-once/);
    },
  );

  it('names its version', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
    expect(await cli(['--version'])).toEqual({ exit: EXIT.done, out: version, notes: '' });
  });

  it.each([
    [[], 'Usage: run-once'],
    [['bogus'], "unknown command 'bogus'"],
    [['inspect'], "missing required argument 'key'"],
    [['inspect', 'a', 'b'], 'too many arguments'],
    [['inspect', 'a', '--nonsense'], "unknown option '--nonsense'"],
    [['list', '--status', 'dead'], 'Allowed choices are in-progress, completed'],
    [['list', '--older-than', '15'], "but it is '15'. Write for instance 15m."],
    [['list', '--hash', 'ABCDEF0123456789'], "but it is 'ABCDEF0123456789'"],
    [['list', '--read-units', '0'], "but it is '0'"],
    [['stats', '--read-units', '1e3'], "but it is '1e3'"],
    [['stats', '--read-units', '40001'], "but it is '40001'"],
    [['wait', 'a', '--timeout', 'soon'], "but it is 'soon'"],
    [['inspect', ''], "The key must be a non-empty string, but it is ''"],
    [['inspect', 'x'.repeat(2049)], '2049 bytes'],
    [['inspect', 'a', '--keep-for', '0s'], 'keepForSeconds must be a number of seconds from 1'],
  ])('refuses %j', async (argv, message) => {
    const { exit, out, notes } = await cli(argv);
    expect({ exit, out }).toEqual({ exit: EXIT.usage, out: '' });
    expect(notes).toContain(message);
    expect(notes).not.toContain('the work was not run');
  });

  it('says which table it lacks, in JSON where that is asked for', async () => {
    expect(await cli(['stats'], {})).toMatchObject({
      exit: EXIT.usage,
      notes: 'No table is named. Set IDEMPOTENCY_TABLE as the function has it, or give --table NAME.',
    });
    const { notes } = await cli(['stats', '--json'], { IDEMPOTENCY_TABLE: '' });
    expect(JSON.parse(notes)).toEqual({ error: 'usage', message: expect.stringContaining('No table') });
  });
});

describe('settings', () => {
  it('are those of the function’s environment, unless options say otherwise', () => {
    const env = {
      IDEMPOTENCY_TABLE: 'of-env',
      IDEMPOTENCY_KEY_PREFIX: 'env#',
      IDEMPOTENCY_KEEP_FOR_SECONDS: '600',
    };
    const ofEnv = { tableName: 'of-env', keyPrefix: 'env#', keepForSeconds: 600, json: false };
    expect(settingsOf({}, env)).toEqual(ofEnv);
    expect(settingsOf({ table: 't', keyPrefix: '', keepFor: '2h', json: true }, env)).toEqual({
      tableName: 't',
      keyPrefix: '',
      keepForSeconds: 7200,
      json: true,
    });
    expect(settingsOf({ table: 't' }, {})).toMatchObject({ keyPrefix: '', keepForSeconds: 86_400 });
  });

  it('refuse a retention that the layer would refuse', () => {
    expect(() => settingsOf({ table: 't' }, { IDEMPOTENCY_KEEP_FOR_SECONDS: 'long' })).toThrow(
      ConfigurationError,
    );
  });

  it('put the prefix before keys', () => {
    expect(pkOf(settingsOf({ table: 't', keyPrefix: 'mail#' }, {}), '7')).toBe('mail#7');
  });
});

describe('durations', () => {
  it.each([
    ['90s', 90],
    ['15m', 900],
    ['2h', 7200],
    ['3d', 259_200],
    ['0s', 0],
  ])('reads %s', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds);
  });

  it.each(['', '15', 'm', '1.5h', '-1m', '15 m', '1w', '15M', '12345678901s'])('refuses %j', (text) => {
    expect(() => secondsOf(text)).toThrow(CommandError);
  });

  it.each([
    [0, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [3665, '1 h 1 min'],
    [-90, '1 min 30 s'],
    [86_400 + 5, '1 d 5 s'],
  ])('says %d', (seconds, words) => {
    expect(inWords(seconds)).toBe(words);
  });
});

describe('failures', () => {
  const named = (name: string, message = 'No.') => Object.assign(new Error(message), { name });

  it('have the exit code of what they are', () => {
    expect(failureOf(new CommandError('timedOut', 'late'))).toEqual({ exit: 'timedOut', message: 'late' });
    expect(failureOf(new ConfigurationError('wrong'))).toEqual({ exit: 'usage', message: 'wrong' });
    expect(failureOf(named('Odd'))).toEqual({ exit: 'failed', message: 'Odd: No.' });
    expect(failureOf('text')).toMatchObject({ exit: 'failed' });
  });

  it.each([
    [named('ResourceNotFoundException'), 'AWS_REGION'],
    [named('AccessDeniedException'), 'docs/cli.md'],
    [named('CredentialsProviderError', 'Could not load credentials'), 'AWS_PROFILE'],
    [named('ExpiredTokenException'), 'Sign in'],
    [named('Error', 'Region is missing'), 'Set AWS_REGION'],
    [
      Object.assign(new Error(''), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED: no connection. Check AWS_ENDPOINT_URL',
    ],
    [named('ProvisionedThroughputExceededException'), 'fewer --read-units'],
  ])('of AWS come with what helps: %s', (error, hint) => {
    expect(explained(error)).toContain(hint);
  });

  it('have exit codes of their own, which the docs list', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (\d+) \| (?:`(\w+)`)? ?\|/gm)];
    expect(rows.map(([, code]) => Number(code))).toEqual(Object.values(EXIT));
    for (const [, code, error] of rows) {
      if (error !== undefined) expect(EXIT[error as keyof typeof EXIT]).toBe(Number(code));
    }
  });
});
