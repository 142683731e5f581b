import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as devalue from 'devalue';

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
  /** The text's form, where it is not JSON. */
  codec?: 'devalue';
  /** Why there is no result though the work is done. */
  resultUnavailable?: string;
}

// An item takes 400 KB with all its names and values; the rest of the record gets 8 KB (key 2 KB, the others less).
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const MAX_STORED_BYTES = 392 * 1024;

// Below this a person on call can read the result in the console, and deflating saves at most three write units.
const DEFLATE_ABOVE_BYTES = 4 * 1024;

/** Never throws: what cannot be stored says so in `resultUnavailable`, since the work is done by now. */
export function encodeResult(value: unknown): StoredResult {
  if (value === undefined) return {};
  let encoded: { text: string; codec?: 'devalue' };
  try {
    encoded = isPlainJson(value)
      ? { text: JSON.stringify(value) }
      : { text: devalue.stringify(value, reducers), codec: 'devalue' };
  } catch {
    return { resultUnavailable: 'it cannot be serialised' };
  }
  const { text, ...codec } = encoded;
  const bytes = Buffer.byteLength(text);
  const result = bytes > DEFLATE_ABOVE_BYTES ? deflateRawSync(text) : text;
  const size = typeof result === 'string' ? bytes : result.byteLength;
  if (size > MAX_STORED_BYTES) {
    return {
      resultUnavailable: `it takes ${size} bytes, more than the ${MAX_STORED_BYTES} that fit a record`,
    };
  }
  return { result, ...codec };
}

/** The value that `encodeResult` was given, or its plain-data likeness. */
export function decodeResult(stored: StoredResult): unknown {
  if (stored.result === undefined) return undefined;
  const text = typeof stored.result === 'string' ? stored.result : inflateRawSync(stored.result).toString();
  return stored.codec === 'devalue' ? devalue.parse(text, revivers) : JSON.parse(text);
}

// Deeper than data goes: what is nested further is taken to contain itself, which JSON cannot say.
const MAX_JSON_DEPTH = 500;

/** Whether JSON keeps the value whole: no `undefined`, no `-0`, no `toJSON`, no class instance anywhere in it. */
function isPlainJson(value: unknown, depth = 0): boolean {
  if (depth > MAX_JSON_DEPTH) return false;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      if (value === null) return true;
      if (Array.isArray(value)) {
        for (let i = 0; i < value.length; i++) if (!isPlainJson(value[i], depth + 1)) return false;
        return true;
      }
      return isPlainObject(value) && Object.values(value).every((inner) => isPlainJson(inner, depth + 1));
    default:
      return false;
  }
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) && Object.getOwnPropertySymbols(value).length === 0
  );
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
      own: { ...value },
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
