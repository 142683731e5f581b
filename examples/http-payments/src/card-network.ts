import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment } from './payment';

/**
 * Stands for the card network: it takes its time. A real one is sent the key, answers it as before when it comes again,
 * and so closes the gap in which a function can die between the charge and its entry in the ledger.
 *
 * @returns the authorisation's identifier.
 */
export async function authorise(
  _payment: Payment,
  { signal }: { idempotencyKey: string; signal: AbortSignal },
): Promise<string> {
  await sleep(Number(process.env.CHARGE_SECONDS) * 1000, undefined, { signal });
  return randomUUID();
}
