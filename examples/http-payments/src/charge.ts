import type { Run } from '/opt/nodejs/index.mjs';
import { authorise } from './card-network';
import type { Payment } from './payment';

export interface Charge extends Payment {
  id: string;
}

/**
 * The side effect. What is outside AWS gets a key of its own to recognise a repetition by; the ledger's entry is stored
 * in one transaction with the response, so that there is never one without the other.
 */
export async function charge(payment: Payment, run: Run): Promise<Charge> {
  const id = await authorise(payment, { idempotencyKey: run.idempotencyKey(), signal: run.signal });
  const charged = { id, ...payment };
  run.commit({ Put: { TableName: process.env.LEDGER_TABLE as string, Item: { ...charged } } });
  return charged;
}
