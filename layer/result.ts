import { isUint8Array } from 'node:util/types';
import * as devalue from 'devalue';
import { ConfigurationError, ResultUnavailableError } from './errors';
import { isPlainJson, isPlainObject } from './plain-json';

/**
 * The attributes that hold a result in its record.
 *
 * Plain JSON is stored as JSON text, readable in the console. What JSON would lose (`undefined`, `Date`, `Map`,
 * `BigInt`, …) is stored in devalue's text form. Large text is deflated to bytes, since every duplicate's failed
 * write is billed by the size of the record it met.
 */
export interface StoredResult {
  /** Absent for `undefined`: work that returns nothing stores nothing. */
  result?: string | Uint8Array;
  /** The result's form, where it is not JSON: `devalue`, or the name of the caller's codec. */
  codec?: string;
  /** Why there is no result though the work is done. */
  resultUnavailable?: string;
}

/**
 * Turns the bytes of a serialised result into those that are stored, and back; for instance, encrypts them.
 *
 * @example
 * createRunOnce({ codec: { name: 'v1', encode: (bytes) => encrypt(bytes), decode: (bytes) => decrypt(bytes) } })
 */
export interface Codec {
  /** Stored with each result, so that records tell what reads them. Change it with the key or the format. */
  name: string;
  /** What is stored. Where it throws, the result is unavailable, and the work is done all the same. */
  encode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** What `encode` was given. Where it throws, the duplicate gets ResultUnavailableError. */
  decode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

// An item takes 400 KB with all its names and values; the rest of the record gets 8 KB (key 2 KB, the others less).
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const MAX_STORED_BYTES = 392 * 1024;

// Up to this the record is one write unit, which deflating would not save, and a person on call can read the result in
// the console. Its other attributes and names take 250 bytes with a key of usual length.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
const DEFLATE_ABOVE_BYTES = 768;

// On demand, since loading it takes longer than most functions' results ever need it for.
const zlib = () => process.getBuiltinModule('node:zlib');

/** Never throws: what cannot be stored says so in `resultUnavailable`, since the work is done by now. */
export async function encodeResult(value: unknown, codec?: Codec): Promise<StoredResult> {
  if (value === undefined) return {};
  try {
    const stored = codec ? await encodedBy(codec, value) : serialised(value);
    const size = Buffer.byteLength(stored.result);
    if (size <= MAX_STORED_BYTES) return stored;
    return {
      resultUnavailable: `it takes ${size} bytes, more than the ${MAX_STORED_BYTES} that fit a record`,
    };
  } catch {
    return { resultUnavailable: 'it cannot be serialised' };
  }
}

function serialised(value: unknown) {
  if (isPlainJson(value)) return { result: deflated(JSON.stringify(value)) };
  return { result: deflated(devalue.stringify(value, reducers)), codec: 'devalue' };
}

function deflated(text: string): string | Uint8Array {
  return Buffer.byteLength(text) > DEFLATE_ABOVE_BYTES ? zlib().deflateRawSync(text) : text;
}

async function encodedBy(codec: Codec, value: unknown) {
  const result = await codec.encode(zlib().deflateRawSync(devalue.stringify(value, reducers)));
  if (!isUint8Array(result)) throw new TypeError('encode must answer bytes');
  return { result, codec: codec.name };
}

/**
 * The value that `encodeResult` was given, or its plain-data likeness.
 *
 * @throws ConfigurationError when another codec than this function's has written it.
 * @throws ResultUnavailableError when it cannot be read.
 */
export async function decodeResult({ result, codec: name }: StoredResult, codec?: Codec): Promise<unknown> {
  if (result === undefined) return undefined;
  if (name !== undefined && name !== 'devalue' && name !== codec?.name) {
    throw new ConfigurationError(
      `The stored result was written by codec ${name}, but this function has ${codec ? codec.name : 'none'}. Give createRunOnce the codec that wrote it; the work is done and was not run again.`,
    );
  }
  try {
    if (name !== undefined && name === codec?.name) {
      return devalue.parse(inflated(await codec.decode(result as Uint8Array)), revivers);
    }
    return name === 'devalue' ? devalue.parse(inflated(result), revivers) : JSON.parse(inflated(result));
  } catch (cause) {
    throw new ResultUnavailableError(
      'The work is done and will not run again, but its stored result cannot be read. Look the outcome up where the work left it.',
      { cause },
    );
  }
}

function inflated(result: string | Uint8Array): string {
  return typeof result === 'string' ? result : zlib().inflateRawSync(result).toString();
}

// A reducer's answer marks the value as of its kind and is stored instead; a falsy answer means "not mine".
const reducers = {
  // Only the view's own bytes: a Buffer is often a window into a pool that holds other data.
  Buffer: (value: unknown) => Buffer.isBuffer(value) && [value.toString('base64')],
  Uint8Array: (value: unknown) =>
    value instanceof Uint8Array && [
      Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'),
    ],
  Error: (value: unknown) =>
    value instanceof Error && {
      name: value.name,
      message: value.message,
      ...(value.cause === undefined ? {} : { cause: value.cause }),
      // An AggregateError's errors are an own property that is not enumerable.
      own: { ...value, ...('errors' in value ? { errors: value.errors } : {}) },
    },
  // A class instance becomes the plain data it holds, by its own toJSON if it has one.
  Data: (value: unknown) => isInstance(value) && [plainDataOf(value)],
};

const revivers = {
  Buffer: ([base64]: [string]) => Buffer.from(base64, 'base64'),
  Uint8Array: ([base64]: [string]) => new Uint8Array(Buffer.from(base64, 'base64')),
  Error: ({
    name,
    message,
    own,
    ...options
  }: {
    name: string;
    message: string;
    own: object;
    cause?: unknown;
  }) => {
    const error = Object.assign(new Error(message, options), own);
    Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
    error.stack = `${name}: ${message}`;
    return error;
  },
  Data: ([data]: [unknown]) => data,
};

type WithToJson = object & { toJSON?: unknown };

function isInstance(value: unknown): value is WithToJson {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === 'Object') return !isPlainObject(value) || 'toJSON' in value;
  return 'toJSON' in value && tag !== 'Date' && tag !== 'URL' && !tag.startsWith('Temporal.');
}

function plainDataOf(value: WithToJson): unknown {
  return typeof value.toJSON === 'function' ? value.toJSON() : Object.fromEntries(Object.entries(value));
}
