import type { TransactItem } from '/opt/nodejs/index.mjs';
import type { Booking } from './booking';

/**
 * The write that a booking makes, and that no repetition may make again: it adds. The account must exist; a booking that
 * comes before it waits in the stream.
 */
export const balanceChange = ({ account, amount }: Booking): TransactItem => ({
  Update: {
    TableName: process.env.BALANCES_TABLE as string,
    Key: { account },
    UpdateExpression: 'ADD balance :amount, bookings :one',
    ConditionExpression: 'attribute_exists(account)',
    ExpressionAttributeValues: { ':amount': amount, ':one': 1 },
  },
});
