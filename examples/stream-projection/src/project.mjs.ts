/** Keeps balances as a stream of bookings says. */
import { keyOf, streamHandler } from '/opt/nodejs/index.mjs';
import { balanceChange } from './balance-change';
import { type Booking, readBooking } from './booking';

// The booking's own identifier: a producer that sends again gets another sequence number.
export const handler = streamHandler(
  { key: (booking: Booking) => keyOf('project', booking.id), parse: readBooking },
  (booking, run) => run.commit(balanceChange(booking)),
);
