/** What the blocks of the guides are about, and take as given. */

interface Order {
  id: string;
  amount: number;
  email: string;
}

interface Payment {
  id: string;
  account: string;
  amount: number;
}

declare const order: Order;
declare const context: import('aws-lambda').Context;
declare const day: string;
declare const from: string;
declare const to: string;
declare const amount: number;
declare const secretKey: Uint8Array;

declare class CardDeclined extends Error {}

declare function charge(order: Order, options?: object): Promise<{ id: string }>;
declare function send(order: Order, options?: object): Promise<{ id: string }>;
declare function makeThumbnail(object: import('aws-lambda').S3EventRecord['s3']): Promise<void>;
declare function bookingOf(
  payment: Payment,
): Extract<import('../../layer/index').TransactItem, { Update: unknown }>['Update'];
