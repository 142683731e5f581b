import { isDeepStrictEqual } from 'node:util';
import type { VirtualClock } from '../../testing/virtual-clock';
import type { Process } from './world';

interface Call {
  process: Process;
  calledAt: number;
  begunAt?: number;
  workEnded: boolean;
  threw?: unknown;
}

/** Judges a library by what its callers can see, whatever its table looks like: works, answers and errors. */
export class BlackBox {
  readonly violations = new Set<string>();
  private readonly calls: Call[] = [];
  private answer: { value: unknown } | undefined;
  private answeredAt = Number.POSITIVE_INFINITY;

  constructor(private readonly clock: VirtualClock) {}

  called(process: Process): Call {
    const call = { process, calledAt: this.clock.now(), workEnded: false };
    this.calls.push(call);
    return call;
  }

  workBegins(call: Call): void {
    const now = this.clock.now();
    const running = this.calls.some(
      (other) =>
        other !== call &&
        !other.process.dead &&
        !other.workEnded &&
        other.begunAt !== undefined &&
        now < other.calledAt + other.process.plan.lockSeconds * 1000,
    );
    if (running) this.violations.add('1: two works run at once while the lock lasts');
    if (call.calledAt > this.answeredAt)
      this.violations.add('5: the work runs again though it was completed');
    call.begunAt = now;
  }

  /** From here on the key may be free, or completed, before the caller hears of it. */
  workEnds(call: Call, error?: unknown): void {
    call.workEnded = true;
    call.threw = error;
  }

  settled(call: Call, outcome: { value?: unknown; error?: unknown }, isProbe: boolean): void {
    if ('value' in outcome) {
      if (this.answer && !isDeepStrictEqual(this.answer.value, outcome.value)) {
        this.violations.add('4: two callers get different answers');
      }
      this.answer ??= { value: outcome.value };
      this.answeredAt = Math.min(this.answeredAt, this.clock.now());
      return;
    }
    const { error } = outcome;
    // The work is done, nothing failed on the way to the table, and yet its caller got an error, and not one that says
    // that another call has the lock now: whatever the error is about, the side effect must not happen again.
    const lost = (error as Error).name === 'LockLostError';
    if (call.begunAt !== undefined && call.threw === undefined && !call.process.failed && !lost) {
      this.answeredAt = Math.min(this.answeredAt, this.clock.now());
    }
    if (call.threw !== undefined && error !== call.threw) {
      this.violations.add('6: the work’s own error does not reach its caller');
    }
    if (call.begunAt !== undefined || !/InProgress/.test((error as Error).name)) return;
    if (isProbe) this.violations.add('9: the key stays locked after every lock has ended');
    else if (this.calls.length === 1) this.violations.add('3: a call takes its own record for another’s');
  }
}
