import * as timers from 'node:timers';
import type { Clock } from '../layer/clock';

// Node.js's own, also where a test replaces it later, as fake timers do in the global object and in node:timers.
const { setImmediate: nextTurn } = timers;

/** A clock that moves when it is told to, and then calls back in order whatever has come due. */
export class VirtualClock implements Clock {
  private readonly timers = new Set<{ at: number; callback: () => void }>();

  constructor(public time = Date.UTC(2027, 0, 15)) {}

  now(): number {
    return this.time;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.time + Math.max(0, milliseconds), callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  random(): number {
    return 0;
  }

  get pending(): number {
    return this.timers.size;
  }

  async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await this.run(end);
    this.time = Math.max(this.time, end);
  }

  /** Calls back whatever comes due up to that moment; where nothing is left to come, the clock stands still. */
  async run(end: number): Promise<void> {
    for (;;) {
      await idle();
      let due: { at: number; callback: () => void } | undefined;
      for (const timer of this.timers) if (!due || timer.at < due.at) due = timer;
      if (!due || due.at > end) break;
      this.timers.delete(due);
      this.time = Math.max(this.time, due.at);
      due.callback();
    }
  }
}

/** Lets everything run that waits for nothing but a promise. */
export const idle = () => new Promise<void>((resolve) => nextTurn(resolve));
