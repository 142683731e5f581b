/** The program `run-once`: runs the command line of this process. */
import { runCommandLine } from './command-line';
import { EXIT } from './exit-codes';

async function main(argv: string[]): Promise<number> {
  // The SDK's word to whoever develops with it on an older Node.js would stand among what --json prints.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  // A reader that has seen enough, as `head` has, is no failure, and ends a list; whatever else is under way comes to its end
  // and tells it by its exit code.
  const onError = ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') process.exit(EXIT.failed);
    if (argv[0] === 'list') process.exit(EXIT.done);
  };
  process.stdout.on('error', onError);
  process.stderr.on('error', onError);
  return runCommandLine(argv);
}

void main(process.argv.slice(2)).then((exit) => {
  process.exitCode = exit;
});
