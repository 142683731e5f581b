import type { KinesisStreamRecord } from 'aws-lambda';

/** What a record of the stream carries. */
export interface Booking {
  id: string;
  account: string;
  /** In the currency's smallest unit; negative where money leaves the account. */
  amount: number;
}

/** @throws Error for what is no booking, without its content, which would be in the log. */
export function readBooking({ kinesis }: KinesisStreamRecord): Booking {
  const { id, account, amount } = JSON.parse(Buffer.from(kinesis.data, 'base64').toString());
  const isBooking = typeof id === 'string' && typeof account === 'string' && Number.isSafeInteger(amount);
  if (!isBooking) throw new Error(`Record ${kinesis.sequenceNumber} is no booking.`);
  return { id, account, amount };
}
