import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** A payment as a client asks for it. */
export interface Payment {
  /** What is paid for. */
  order: string;
  /** In the currency's smallest unit. */
  amount: number;
  /** ISO 4217. */
  currency: string;
}

/** @returns undefined for a body that is no payment. */
export function readPayment({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Payment | undefined {
  const json = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString();
  const { order, amount, currency } = parsed(json);
  const isPayment =
    typeof order === 'string' &&
    Number.isSafeInteger(amount) &&
    (amount as number) > 0 &&
    typeof currency === 'string' &&
    /^[A-Z]{3}$/.test(currency);
  return isPayment ? { order, amount: amount as number, currency } : undefined;
}

function parsed(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) ?? {};
  } catch {
    return {};
  }
}
