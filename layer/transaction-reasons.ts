/**
 * DynamoDB's reason for each item of a cancelled transaction, in order, `None` for those that were fine. SDK v3 lists
 * them; v2 only has them in its message.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function cancellationReasons(error: unknown): string[] {
  const { CancellationReasons, message } = error as {
    CancellationReasons?: { Code?: string }[];
    message: string;
  };
  if (CancellationReasons) return CancellationReasons.map(({ Code }) => Code ?? 'None');
  return /\[([^\]]*)\]/.exec(message)?.[1]?.split(/,\s*/) ?? [];
}

// Nothing was written and nothing is wrong with the items: the same transaction may succeed a moment later.
const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Position of the first item that was refused for good, and not by what will pass; -1 if there is none. */
export function refusedItem(reasons: string[]): number {
  return reasons.findIndex((reason) => reason !== 'None' && !PASSING.has(reason));
}

/** What to throw in place of a refusal when it will pass: an error named after the reason. */
export function passingReason(reasons: string[], cause: unknown): Error | undefined {
  const refused = reasons.filter((reason) => reason !== 'None');
  if (refused.length === 0 || !refused.every((reason) => PASSING.has(reason))) return undefined;
  return Object.assign(new Error('The transaction was cancelled.', { cause }), { name: refused[0] });
}
