import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Counts {
  calls: Record<string, number>;
  writeUnits: number;
  readUnits: number;
}

export interface Stub {
  endpoint: string;
  /** What was asked of it since this was last called. */
  counts(): Promise<Counts>;
  stop(): void;
}

/** @param delay Milliseconds after which each request is answered. */
export async function startStub(delay = 0): Promise<Stub> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'programs/stub.mjs')], {
    env: { ...process.env, NODE_OPTIONS: '', DELAY: String(delay) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  const endpoint = `http://127.0.0.1:${String(port).trim()}`;
  return {
    endpoint,
    counts: async () => (await (await fetch(`${endpoint}/counts`)).json()) as Counts,
    stop: () => child.stdin.end(),
  };
}
