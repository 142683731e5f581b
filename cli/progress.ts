import { SingleBar } from 'cli-progress';
import type { ScannedPage } from './scan';
import type { Session } from './session';

/** Passes the pages on, with a bar on standard error where somebody watches, and not a program. */
export async function* withProgress(
  pages: AsyncIterable<ScannedPage>,
  total: () => Promise<number | undefined>,
  { terminal, settings }: Pick<Session, 'terminal' | 'settings'>,
): AsyncGenerator<ScannedPage> {
  if (!terminal.interactive || settings.json) {
    yield* pages;
    return;
  }
  const bar = new SingleBar({
    format: 'scanning [{bar}] {value}/{total} records, {units} read units',
    clearOnComplete: true,
    hideCursor: true,
  });
  let scanned = 0;
  let units = 0;
  bar.start((await total()) ?? 0, 0, { units });
  try {
    for await (const page of pages) {
      scanned += page.scanned;
      units += page.units;
      // The table's own count lags behind.
      if (scanned > bar.getTotal()) bar.setTotal(scanned);
      bar.update(scanned, { units });
      yield page;
    }
  } finally {
    bar.stop();
  }
}
