import type { Order } from '../../examples/sqs-orders/src/order';

export type Channel = 'retail' | 'wholesale';

export interface PlannedOrder extends Order {
  channel: Channel;
  /** How many messages bring this order: the same body under as many message identifiers. */
  messages: number;
}

export interface Plan {
  /** Has no address, so that its confirmation fails whenever it is tried. */
  poison: PlannedOrder;
  /** Its work is slow, and its second message comes while it runs. */
  slow: PlannedOrder;
  /** Its function is ended by the timeout in mid-work. */
  hanging: PlannedOrder;
  /** Its function dies in mid-work, and takes the whole batch with it. */
  crashing: PlannedOrder;
  /** Orders that share a batch with the crashing one; those before it are done when it dies. */
  neighbours: PlannedOrder[];
  /** Orders that nothing happens to but that they arrive 1 to 4 times. */
  ordinary: PlannedOrder[];
}

const NEIGHBOURS = 3;
const SPECIAL = 4 + NEIGHBOURS;

/** At least one ordinary order for each number of messages. */
export const FEWEST_ORDERS = SPECIAL + 4;

/** @param size Number of orders, at least {@link FEWEST_ORDERS}. */
export function planOrders(size: number): Plan {
  let id = 1000;
  const order = (channel: Channel, messages: number, more: Partial<Order> = {}): PlannedOrder => {
    id += 1;
    return { id: String(id), email: `customer-${id}@example.com`, channel, messages, ...more };
  };

  const { email: _, ...poison } = order('wholesale', 1);
  return {
    poison,
    slow: order('retail', 2, { accident: 'slow' }),
    hanging: order('wholesale', 1, { accident: 'hang' }),
    crashing: order('retail', 1, { accident: 'crash' }),
    neighbours: Array.from({ length: NEIGHBOURS }, () => order('retail', 1)),
    ordinary: Array.from({ length: size - SPECIAL }, (_, index) =>
      order(index % 2 === 0 ? 'retail' : 'wholesale', 1 + (index % 4)),
    ),
  };
}

export function allOrders(plan: Plan): PlannedOrder[] {
  const { poison, slow, hanging, crashing, neighbours, ordinary } = plan;
  return [poison, slow, hanging, crashing, ...neighbours, ...ordinary];
}
