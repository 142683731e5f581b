/** The positions of each lane's items, in their order. */
export function lanesOf<T>(items: T[], laneOf: (item: T, position: number) => unknown): number[][] {
  const lanes = new Map<unknown, number[]>();
  items.forEach((item, position) => {
    const lane = laneOf(item, position);
    const members = lanes.get(lane);
    if (members) members.push(position);
    else lanes.set(lane, [position]);
  });
  return [...lanes.values()];
}

/**
 * One step after another within a lane, lanes side by side, up to so many steps at a time, and what comes first in the
 * batch first. A lane ends with the first step that answers false, all of them once nothing may start any more.
 *
 * @param step never rejects.
 */
export async function inLanes(
  lanes: number[][],
  concurrency: number,
  mayStart: () => boolean,
  step: (position: number) => Promise<boolean>,
): Promise<void> {
  // What is left of each lane that no step is under way in. The one to go on with is the last.
  const waiting = lanes.map((positions) => ({ positions, next: 0 })).reverse();
  const positionOf = ({ positions, next }: (typeof waiting)[number]) => positions[next] as number;

  async function taker(): Promise<void> {
    while (mayStart()) {
      const lane = waiting.pop();
      if (!lane) return;
      const goesOn = await step(positionOf(lane));
      lane.next++;
      if (!goesOn || lane.next === lane.positions.length) continue;
      const later = waiting.findLastIndex((other) => positionOf(other) > positionOf(lane));
      waiting.splice(later + 1, 0, lane);
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, lanes.length) }, taker));
}
