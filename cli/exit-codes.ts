/** What a command's exit code says; docs/cli.md has the same list. */
export const EXIT = {
  done: 0,
  /** AWS, the network or the machine failed. */
  failed: 1,
  /** The command line is wrong, or a setting is missing. */
  usage: 2,
  /** There is no such record. */
  notFound: 3,
  /** The record is not what the command is for, or no longer what was shown: nothing was deleted. */
  refused: 4,
  /** The answer to the question was no: nothing was deleted. */
  declined: 5,
  /** `wait`: still in progress. */
  timedOut: 6,
  /** `wait`: the run has died, its lock has ended without a completion. */
  lockEnded: 7,
  /** `doctor`: something is wrong. */
  unhealthy: 8,
  /** `doctor`: nothing that was checked is wrong, but not all could be checked. */
  unchecked: 9,
} as const;

export type Exit = keyof typeof EXIT;

/** Ends a command with a message for the operator and an exit code. */
export class CommandError extends Error {
  constructor(
    readonly exit: Exit,
    message: string,
  ) {
    super(message);
    this.name = 'CommandError';
  }
}
