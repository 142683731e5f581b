/** Says what it receives and what it has done, and fails for as many deliveries as a message asks for. */
import { keyOf, sqsHandler } from '/opt/nodejs/index.mjs';

const say = (entry) => console.log(JSON.stringify(entry));

const handle = sqsHandler(
  { key: ({ id }) => keyOf('partial-batch', id) },
  ({ id, failures }, _, { record }) => {
    if (Number(record.attributes.ApproximateReceiveCount) <= failures) throw new Error('Not yet.');
    say({ done: id });
  },
);

export function handler(event, context) {
  for (const { body } of event.Records) say({ received: JSON.parse(body).id });
  return handle(event, context);
}
