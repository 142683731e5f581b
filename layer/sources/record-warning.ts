import { IdempotencyError } from '../errors';
import { Malformed } from './malformed';

/**
 * Says in the log why a record comes again: Lambda is told only that it does. What the work throws appears as Lambda
 * would write it; of what could not be read only the error's name, since its message may quote the payload.
 */
export function warnOfFailure(id: string, error: unknown): void {
  const isOfTheWork = !(error instanceof Malformed || error instanceof IdempotencyError);
  const fix =
    error instanceof Malformed ? ' Read it by parse, or say by onMalformed what becomes of it.' : '';
  warn(
    'IDEMPOTENCY_RECORD_FAILED',
    `Record ${id} comes again: ${reasonOf(error)}${fix}`,
    isOfTheWork ? (error as Error | null)?.stack : undefined,
  );
}

export function warnOfDrop(id: string, error: Malformed): void {
  warn('IDEMPOTENCY_RECORD_DROPPED', `Record ${id} is dropped: ${reasonOf(error)}`);
}

export function warnOfRest(count: number): void {
  if (count === 0) return;
  warn(
    'IDEMPOTENCY_RECORDS_NOT_STARTED',
    `${count} records come again that were not started: they follow a failure, or too little time is left. If it is time, raise the function's timeout or lower the batch size.`,
  );
}

// As the core does: a process warning reaches the function's log, and a listener where there is one.
export function warn(code: string, message: string, detail?: string): void {
  process.emitWarning(message, { type: 'IdempotencyWarning', code, ...(detail && { detail }) });
}

function reasonOf(error: unknown): string {
  if (error instanceof Malformed) return `it is malformed, ${reasonOf(error.cause)}`;
  if (error instanceof IdempotencyError) return error.message;
  return error instanceof Error ? `${error.name}.` : `what was thrown is of type ${typeof error}.`;
}
