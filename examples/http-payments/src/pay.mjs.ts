/** Takes a payment over HTTP: once for each `Idempotency-Key` of a caller, whom API Gateway has authenticated. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { httpHandler, type Run } from '/opt/nodejs/index.mjs';
import { charge } from './charge';
import { readPayment } from './payment';

export const handler = httpHandler({}, pay);

async function pay(
  event: APIGatewayProxyEventV2,
  _context: Context,
  run: Run | undefined,
): Promise<APIGatewayProxyStructuredResultV2> {
  // Of a safe method, which the API has no route for.
  if (run === undefined) return { statusCode: 405, headers: { Allow: 'POST' } };
  const payment = readPayment(event);
  if (payment === undefined) return NO_PAYMENT;

  const charged = await charge(payment, run);
  return {
    statusCode: 201,
    headers: { 'Content-Type': 'application/json', Location: `/payments/${charged.id}` },
    body: JSON.stringify(charged),
  };
}

const NO_PAYMENT = {
  statusCode: 400,
  headers: { 'Content-Type': 'application/problem+json' },
  body: JSON.stringify({
    title: 'Bad Request',
    status: 400,
    detail:
      'The body is no payment. Send JSON, for instance { "order": "1042", "amount": 1250, "currency": "EUR" }, the amount in cents.',
  }),
};
