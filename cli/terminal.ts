import { createInterface } from 'node:readline/promises';

/** Where a command reads and writes; the tests have one of their own. */
export interface Terminal {
  /** Whether somebody sits at it: only then is there a question or a progress bar. */
  interactive: boolean;
  /** Writes a line of the answer, to standard output. */
  print(line: string): void;
  /** Writes a line about the answer, to standard error, so that it does not get into a pipe. */
  note(line: string): void;
  /** Asks for yes or no; everything but yes is no. */
  confirm(question: string): Promise<boolean>;
}

export const processTerminal: Terminal = {
  interactive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
  print: (line) => {
    process.stdout.write(`${line}\n`);
  },
  note: (line) => {
    process.stderr.write(`${line}\n`);
  },
  confirm: (question) => confirmBy(process.stdin, process.stderr, question),
};

/** Whether the answer is `y` or `yes`. */
export async function confirmBy(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<boolean> {
  const prompt = createInterface({ input, output });
  // Ctrl-D and Ctrl-C end it without an answer, which is no.
  const ended = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([prompt.question(`${question} [y/N] `), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}

/** One object of JSON a line, for pipes. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.print(JSON.stringify(value));
}
