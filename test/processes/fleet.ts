import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Message {
  key: string;
  effect: 'plain' | 'commit';
}

/** One attempt to have a message handled; `id` is of this delivery alone. */
export interface Delivery extends Message {
  id: number;
  lockSeconds: number;
  millisecondsBefore: number;
  millisecondsAfter: number;
}

/** `ran`: whether this delivery ran the work, to whatever end. */
type Report = { id: number; ran: boolean } & ({ answer: number; error?: undefined } | { error: string });

interface Worker {
  process: ChildProcess;
  handling: Map<number, Delivery>;
}

const AT_A_TIME = 6;

/** Until a delivery that has failed is visible again: a fraction of a lock, so that it also comes too soon. */
const REDELIVERED_AFTER_MILLISECONDS = 700;

/** A queue and its workers: every message is delivered, one after the other, until a delivery has an answer. */
export class Fleet {
  readonly answers = new Map<string, Set<number>>();
  readonly errors: Record<string, number> = {};
  /** Deliveries whose worker was killed before it could say what came of them. */
  readonly killed = new Set<number>();
  deliveries = 0;
  kills = 0;
  /** Exit codes of workers that ended by themselves: none is meant to. */
  readonly crashes: number[] = [];
  /** Deliveries that ran the work and were overtaken: told so, or given the answer of another. */
  overtaken = 0;
  answered = 0;

  private readonly visible: Message[];
  private readonly messages: number;
  private readonly workers: Worker[];
  private stopping = false;

  constructor(
    messages: Message[],
    size: number,
    /** How the nth delivery of all goes. */
    private readonly deliveryOf: (message: Message, id: number) => Delivery,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.visible = [...messages].reverse();
    this.messages = messages.length;
    this.workers = Array.from({ length: size }, () => this.start());
    this.deliver();
  }

  get unanswered(): number {
    return this.messages - this.answered;
  }

  kill(index: number): void {
    this.workers[index]?.process.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const exits = this.workers.map((worker) => once(worker.process, 'exit'));
    for (const worker of this.workers) worker.process.disconnect();
    await Promise.all(exits);
  }

  private start(): Worker {
    const child = fork(join(import.meta.dirname, 'worker.mjs'), { env: this.env, execArgv: [] });
    const worker: Worker = { process: child, handling: new Map() };
    child.on('message', (report: Report) => this.heard(worker, report));
    child.once('exit', (code) => {
      if (code === null) this.kills++;
      else if (!this.stopping) this.crashes.push(code);
    });
    // Not at its exit: what it has said until then may still be under way.
    child.once('disconnect', () => this.lost(worker));
    return worker;
  }

  private heard(worker: Worker, report: Report): void {
    const delivery = worker.handling.get(report.id);
    if (!delivery) return;
    worker.handling.delete(report.id);
    if (
      report.ran &&
      (report.error === undefined ? report.answer !== report.id : report.error === 'LOCK_LOST')
    ) {
      this.overtaken++;
    }
    if (report.error === undefined) {
      this.answered++;
      const { key } = delivery;
      this.answers.set(key, (this.answers.get(key) ?? new Set()).add(report.answer));
    } else {
      this.errors[report.error] = (this.errors[report.error] ?? 0) + 1;
      this.redeliver(delivery);
    }
    this.deliver();
  }

  private lost(worker: Worker): void {
    if (this.stopping) return;
    for (const delivery of worker.handling.values()) {
      this.killed.add(delivery.id);
      this.redeliver(delivery);
    }
    worker.handling.clear();
    this.workers[this.workers.indexOf(worker)] = this.start();
    this.deliver();
  }

  private redeliver({ key, effect }: Delivery): void {
    setTimeout(() => {
      this.visible.push({ key, effect });
      this.deliver();
    }, REDELIVERED_AFTER_MILLISECONDS);
  }

  private deliver(): void {
    for (const { process, handling } of this.workers) {
      while (handling.size < AT_A_TIME && process.connected) {
        const message = this.visible.pop();
        if (!message) return;
        const delivery = this.deliveryOf(message, this.deliveries++);
        handling.set(delivery.id, delivery);
        // One killed by now is told of by its disconnection.
        process.send(delivery, () => {});
      }
    }
  }
}
