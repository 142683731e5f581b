import { CommanderError } from 'commander';
import { systemClock } from '../layer/clock';
import { EXIT, type Exit } from './exit-codes';
import { failureOf } from './failure';
import { programOf } from './program';
import type { World } from './session';
import { processTerminal } from './terminal';

const processWorld: World = { terminal: processTerminal, clock: systemClock, env: process.env };

/**
 * Runs the command line, and never throws.
 *
 * @param argv What follows the program's name.
 * @returns the exit code: see {@link EXIT}.
 * @example
 * process.exitCode = await runCommandLine(['inspect', 'charge#1042', '--json'])
 */
export async function runCommandLine(argv: string[], world: World = processWorld): Promise<number> {
  let exit: Exit = 'done';
  const program = programOf(world, (ended) => {
    exit = ended;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT[exit];
  } catch (error) {
    // Commander has written its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const failure = failureOf(error);
    if (argv.includes('--json'))
      world.terminal.note(JSON.stringify({ error: failure.exit, message: failure.message }));
    else world.terminal.note(failure.message);
    return EXIT[failure.exit];
  }
}
