import { parseArgs } from 'node:util';
import { FEWEST_ORDERS } from './orders';

export interface Arguments {
  json: boolean;
  keep: boolean;
  orders: number;
}

const USAGE = `npm run demo -- [--json] [--keep] [--orders N]
  --json      print the counts as one line of JSON at the end
  --keep      leave it all up until Ctrl-C, and say how to look at it
  --orders N  number of orders, at least ${FEWEST_ORDERS}, 24 by default`;

/** @throws Error with the usage, for an argument that it does not have or a number of orders that it cannot use. */
export function parseArguments(args: string[]): Arguments {
  try {
    const { json, keep, orders } = parseArgs({
      args,
      options: {
        json: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        orders: { type: 'string', default: '24' },
      },
    }).values;
    if (!/^\d+$/.test(orders) || Number(orders) < FEWEST_ORDERS) {
      throw new Error(`--orders is ${orders}, but it must be a whole number of at least ${FEWEST_ORDERS}.`);
    }
    return { json, keep, orders: Number(orders) };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`);
  }
}
