import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../layer/table';
import type { MemoryTable } from '../../testing/memory-table';
import type { VirtualClock } from '../../testing/virtual-clock';
import { EFFECTS, KEY, type Process, TABLE } from './world';

interface Seen {
  begun: number;
  threw?: unknown;
  outcome?: Outcome;
}
type Outcome = { value?: unknown; error?: unknown };

/** Watches the table, the works and the answers, and knows nothing of how the library does it. */
export class Oracle {
  private readonly violations = new Set<string>();
  private readonly seen = new Map<Process, Seen>();
  private readonly owners = new Map<string, Process>();
  /** Who has claimed the key, in that order. */
  private readonly claimed: Process[] = [];
  /** The values that completed records have held. */
  private readonly completed: Process[] = [];
  /** Side effects so far: what the downstream system knows. */
  effects = 0;

  constructor(
    private readonly memory: MemoryTable,
    private readonly clock: VirtualClock,
  ) {}

  verdict(): string[] {
    this.checkAnswers();
    this.checkCommits();
    if (this.clock.pending > 0) this.violated('9: a timer outlives its call');
    return [...this.violations];
  }

  called(process: Process): void {
    this.seen.set(process, { begun: 0 });
  }

  workBegins(process: Process): void {
    const seen = this.of(process);
    seen.begun++;
    if (seen.begun > 1) this.violated('1: one call runs the work twice');
    const record = this.item();
    if (record && this.owners.get(String(record.owner)) === process && this.hasEnded(process, record)) {
      this.violated('1: a work begins after the end of its lock');
    }
    if (this.completed.length > 0 && this.isTellable(process)) {
      const item = this.item();
      const mine = item && this.owners.get(String(item.owner)) === process;
      if (!mine) this.violated('5: the work runs again after its completion');
    }
  }

  /** The side effect. A work that does not stop when its signal says so is on its own. */
  effect(process: Process): void {
    this.effects++;
    const holder = this.owners.get(String(this.item()?.owner));
    if (process.plan.obeys && this.isTellable(process) && holder !== undefined && holder !== process) {
      this.violated('1: a side effect while another call holds the lock');
    }
  }

  workThrows(process: Process, error: unknown): void {
    this.of(process).threw = error;
  }

  settled(process: Process, outcome: Outcome): void {
    const seen = this.of(process);
    seen.outcome = outcome;
    const name = nameOf(outcome.error);
    const item = this.item();
    const own = item !== undefined && this.owners.get(String(item.owner)) === process;
    if (name === 'StillInProgressError' && own && !process.late)
      this.violated('3: a call takes its own record for another’s');
    if (name === 'LockLostError' && own && item.status === 'IN_PROGRESS' && !this.hasEnded(process, item)) {
      this.violated('2: an owner is told that its lock is lost');
    }
    const done = seen.begun > 0 && seen.threw === undefined && process.plan.style !== 'commit';
    if (name === 'LockLostError' && done && item === undefined && this.claimed.at(-1) === process) {
      this.violated('5: a completion is given up though nobody else holds the key');
    }
    if (seen.begun > 0 && BEFORE_THE_WORK.has(name)) {
      this.violated(`8: ${name} though the work ran`);
    }
  }

  /** A write as the table carries it out: who may change what. */
  async watch<T>(process: Process, sentAt: number, apply: () => Promise<T>, transacted = false): Promise<T> {
    const before = this.item();
    const answer = await apply();
    const after = this.item();
    const owner = after?.owner;
    if (typeof owner === 'string' && !this.owners.has(owner)) this.owners.set(owner, process);
    if (!isDeepStrictEqual(before, after)) this.changed(process, sentAt, before, after, transacted);
    return answer;
  }

  private changed(
    process: Process,
    sentAt: number,
    before: Item | undefined,
    after: Item | undefined,
    transacted: boolean,
  ) {
    if (after?.status === 'COMPLETED' && before?.status !== 'COMPLETED') this.completed.push(process);
    const claimed = after?.status === 'IN_PROGRESS' && after.owner !== before?.owner;
    if (claimed) this.claimed.push(process);
    const asked = sentAt + process.plan.lockSeconds * 1000;
    if (claimed && Number(after.lockedUntil ?? after.expiresAt) * 1000 < asked) {
      this.violated('7: a lock ends before it was asked to');
    }
    if (before === undefined) {
      if (after?.status === 'COMPLETED' && transacted) this.violated('2: a commit without a lock');
      return;
    }
    const holder = this.owners.get(String(before.owner));
    const end = Number(before.lockedUntil ?? before.expiresAt);
    const ended = end < Math.floor(sentAt / 1000);
    if (before.status === 'COMPLETED') {
      if (!(Number(before.expiresAt) < Math.floor(sentAt / 1000)))
        this.violated('5: a completed record changes');
      return;
    }
    if (claimed) {
      if (!ended) this.violated('1: a lock is taken over before its end');
      if (process.plan.style === 'fail')
        this.violated('9: a dead run is taken over against the caller’s word');
      return;
    }
    if (holder !== process) this.violated('2: a record changes by other hands than its owner’s');
    if (after?.status === 'IN_PROGRESS' && Number(after.lockedUntil ?? after.expiresAt) < end) {
      this.violated('7: a lock is shortened');
    }
  }

  private checkAnswers(): void {
    const values: unknown[] = [];
    for (const [process, seen] of this.seen) {
      const { outcome } = seen;
      if (outcome === undefined) {
        if (!process.dead) this.violated('9: a call never ends');
        continue;
      }
      if ('value' in outcome) {
        values.push(outcome.value);
        const [by] = this.completed;
        if (!by) this.violated('4: an answer without a completion');
        else if (areOther(by.plan.request, process.plan.request))
          this.violated('4: the answer of another request');
        continue;
      }
      this.checkError(process, seen, outcome.error);
    }
    for (const value of values) {
      if (!isDeepStrictEqual(value, values[0])) this.violated('4: two callers get different answers');
    }
    const last = [...this.seen.values()].at(-1)?.outcome;
    if (nameOf(last?.error) === 'StillInProgressError') this.violated('9: the key stays locked for ever');
  }

  private checkError(process: Process, { threw }: Seen, error: unknown): void {
    if (threw !== undefined) {
      if (error !== threw) this.violated('6: the work’s own error does not reach its caller');
      return;
    }
    const name = nameOf(error);
    if (name === 'Refused') {
      if (this.completed.length === 0) this.violated('4: a remembered error without a completion');
    } else if (name === 'StoreError') {
      if (!process.failed) this.violated('8: a failure of the table that did not happen');
    } else if (name === 'OrphanedError') {
      if (process.plan.style !== 'fail') this.violated('9: refused though it would have run');
    } else if (name === 'KeyReusedError') {
      if (process.plan.request === null) this.violated('4: a request is refused that has no fingerprint');
    } else if (!EXPECTED.has(name)) {
      this.violated(`8: an error that nothing explains: ${name}`);
    }
  }

  /** Writes that are committed with the completion happen exactly as often as a completion of their work. */
  private checkCommits(): void {
    const effects = Number(this.memory.items(EFFECTS).get(KEY)?.count ?? 0);
    const commits = this.completed.filter(
      ({ plan }) => plan.style === 'commit' && plan.ends !== 'remembers',
    ).length;
    if (effects !== commits) this.violated(`5: ${effects} committed effects for ${commits} completions`);
  }

  /** Clocks that are each two seconds off cannot tell whether a lock shorter than six seconds has ended. */
  private isTellable({ plan }: Process): boolean {
    return plan.lockSeconds >= 6 || [...this.seen.keys()].every((other) => other.plan.skew === 0);
  }

  private hasEnded(process: Process, item: Item): boolean {
    return Number(item.lockedUntil ?? item.expiresAt) * 1000 <= this.clock.now() + process.plan.skew;
  }

  private item(): Item | undefined {
    const item = this.memory.items(TABLE).get(KEY);
    return item && { ...item };
  }

  private of(process: Process): Seen {
    return this.seen.get(process) as Seen;
  }

  private violated(what: string): void {
    this.violations.add(what);
  }
}

const areOther = (one: number | null, other: number | null) =>
  one !== null && other !== null && one !== other;

const nameOf = (error: unknown): string => (error as { name?: string } | undefined)?.name ?? '';

const BEFORE_THE_WORK = new Set(['StillInProgressError', 'KeyReusedError', 'OrphanedError']);
const EXPECTED = new Set(['StillInProgressError', 'LockLostError', 'ResultUnavailableError']);
