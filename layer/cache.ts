import type { Clock } from './clock';
import { ConfigurationError } from './errors';
import { refuseUnknown } from './known-options';
import { hasEnded, type IdempotencyRecord } from './record';

/** Bounds of the completed records that a warm container keeps, so that a duplicate there asks no table. */
export interface CacheOptions {
  /** Records, at most. Default: 1,000. */
  maxRecords?: number;
  /** Bytes of their results, at most. Default: 1,048,576 (1 MB). */
  maxBytes?: number;
}

/** The least recently used record goes first. Results are kept as stored, so that no two callers share a value. */
export class RecordCache {
  private readonly records = new Map<string, IdempotencyRecord>();
  private bytes = 0;
  private readonly maxRecords: number;
  private readonly maxBytes: number;

  /** @throws ConfigurationError for a bound that is not a whole number of at least 1, and for unknown options. */
  constructor(
    private readonly clock: Clock,
    options: CacheOptions,
  ) {
    refuseUnknown('cache', options, ['maxRecords', 'maxBytes']);
    const { maxRecords = 1000, maxBytes = 1024 * 1024 } = options;
    for (const [name, value] of Object.entries({ maxRecords, maxBytes })) {
      if (!Number.isInteger(value) || value < 1) {
        throw new ConfigurationError(
          `cache.${name} must be a whole number of at least 1, but it is ${value}.`,
        );
      }
    }
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
  }

  get(pk: string): IdempotencyRecord | undefined {
    const record = this.records.get(pk);
    if (record === undefined) return undefined;
    this.delete(pk, record);
    if (hasEnded(record.expiresAt, this.clock.now())) return undefined;
    this.insert(pk, record);
    return record;
  }

  put(pk: string, record: IdempotencyRecord): void {
    const old = this.records.get(pk);
    if (old) this.delete(pk, old);
    if (sizeOf(record) > this.maxBytes) return;
    this.insert(pk, record);
    for (const [oldest, least] of this.records) {
      if (this.records.size <= this.maxRecords && this.bytes <= this.maxBytes) break;
      this.delete(oldest, least);
    }
  }

  private insert(pk: string, record: IdempotencyRecord): void {
    this.records.set(pk, record);
    this.bytes += sizeOf(record);
  }

  private delete(pk: string, record: IdempotencyRecord): void {
    this.records.delete(pk);
    this.bytes -= sizeOf(record);
  }
}

function sizeOf({ result, classicResult }: IdempotencyRecord): number {
  return Buffer.byteLength(result ?? JSON.stringify(classicResult) ?? '');
}
