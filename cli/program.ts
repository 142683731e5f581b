import { Command, Option } from 'commander';
import manifest from '../package.json';
import { doctor } from './doctor';
import type { Exit } from './exit-codes';
import { forget } from './forget';
import { inspect } from './inspect';
import { list } from './list';
import { release } from './release';
import { type Session, sessionOf, type World } from './session';
import type { TableOptions } from './settings';
import { stats } from './stats';
import { wait } from './wait';

/** The command line's grammar. A command's exit is given to `ended`. */
export function programOf(world: World, ended: (exit: Exit) => void): Command {
  const program = new Command('run-once')
    .description('Looks after the records of runOnce. Region and credentials are as for the AWS CLI.')
    .version(manifest.version)
    .showHelpAfterError('(run-once help COMMAND says more)')
    .configureOutput({
      writeOut: (text) => world.terminal.print(text.trimEnd()),
      writeErr: (text) => world.terminal.note(text.trimEnd()),
    })
    .exitOverride();

  /** A command with the options that all have, and the session that they make. */
  const command = <O, A extends string[]>(
    usage: string,
    description: string,
    run: (session: Session, ...rest: [...A, O]) => Promise<Exit>,
  ) =>
    program
      .command(usage)
      .description(description)
      .option('--table <name>', 'the table (env: IDEMPOTENCY_TABLE)')
      .option('--key-prefix <prefix>', 'what the function puts before its keys (env: IDEMPOTENCY_KEY_PREFIX)')
      .option('--keep-for <duration>', 'retention of results (env: IDEMPOTENCY_KEEP_FOR_SECONDS; else 1d)')
      .option('--json', 'print JSON')
      .action(async (...given: unknown[]) => {
        // Commander adds the options and itself to the arguments.
        const options = given.at(-2) as O & TableOptions;
        const names = given.slice(0, -2) as A;
        ended(await run(sessionOf(world, options), ...names, options));
      });

  const readUnits = () => new Option('--read-units <number>', 'read units to take a second').default('50');
  const yes = () => new Option('--yes', 'do not ask');

  command('inspect <key>', 'show the record of a key', inspect).option(
    '--show-result',
    'show the stored result, too',
  );
  command('list', 'list records; reads the whole table', list)
    .addOption(new Option('--status <status>', 'only these').choices(['in-progress', 'completed']))
    .option('--older-than <duration>', 'completed, or dead, for longer than, for instance, 15m')
    .option('--prefix <prefix>', 'keys that begin with, for instance, orders#')
    .option('--hash <keyHash>', 'the record that a log line names by its keyHash')
    .addOption(readUnits());
  command('release <key>', 'free a key whose run is dead', release).addOption(yes());
  command('forget <key>', 'delete a completed record, so that the operation runs again', forget).addOption(
    yes(),
  );
  command('wait <key>', 'wait until a key is no longer in progress', wait).option(
    '--timeout <duration>',
    'give up after',
    '15m',
  );
  command('stats', 'count records by state and age; reads the whole table', stats).addOption(readUnits());
  command('doctor', 'check the table, and functions with their queues and streams', doctor)
    .option('--function <name...>', 'functions that use the table, by name or ARN')
    .option('--layer <arn>', "ARN of the layer's version that they should have")
    .option('--role <arn>', 'role whose rights to check, where it is not that of a function');
  return program;
}
