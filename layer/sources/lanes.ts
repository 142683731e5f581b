/** The members of each lane, in their order. */
export function lanesOf<T>(items: T[], laneOf: (item: T, index: number) => unknown): T[][] {
  const lanes = new Map<unknown, T[]>();
  items.forEach((item, index) => {
    const lane = laneOf(item, index);
    const members = lanes.get(lane);
    if (members) members.push(item);
    else lanes.set(lane, [item]);
  });
  return [...lanes.values()];
}

/**
 * One step after another within a lane, lanes side by side, up to so many steps at a time. A lane ends with the first
 * step that answers false, all of them once nothing may start any more. Lanes take turns, so that what is left over then
 * is the end of the batch rather than whole lanes.
 *
 * @param step never rejects.
 */
export async function inLanes<T>(
  lanes: T[][],
  concurrency: number,
  mayStart: () => boolean,
  step: (item: T) => Promise<boolean>,
): Promise<void> {
  const turns = lanes.map((lane) => lane.values());
  let next = 0;

  async function taker(): Promise<void> {
    while (next < turns.length && mayStart()) {
      const lane = turns[next++] as ArrayIterator<T>;
      const { value, done } = lane.next();
      if (!done && (await step(value))) turns.push(lane);
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, lanes.length) }, taker));
}
