import { type Zippable, zipSync } from 'fflate';

// The first moment that a zip's clock knows; given in local time, since fflate stores the local reading.
const EPOCH = new Date(1980, 0, 1);

const UNIX = 3;
const READABLE_FILE = 0o100644 << 16;

/**
 * A zip whose bytes depend on names and contents only: entries sorted, times and modes fixed, and deflated by a
 * library instead of Node.js' zlib, whose output changes between versions.
 */
export function deterministicZip(files: Record<string, Uint8Array>): Uint8Array {
  const entries: Zippable = {};
  for (const name of Object.keys(files).sort()) {
    entries[name] = [files[name] as Uint8Array, { level: 9, mtime: EPOCH, os: UNIX, attrs: READABLE_FILE }];
  }
  return zipSync(entries);
}
