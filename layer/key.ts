import { InvalidKeyError } from './errors';

// A partition key takes at most 2,048 bytes.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const MAX_KEY_BYTES = 2048;

/**
 * The key as it is stored. A key names the operation, not the delivery: `order-confirmation#1042`, not a request id.
 *
 * @throws InvalidKeyError for what is not a non-empty string, or is too long once the prefix is before it.
 */
export function storedKey(prefix: string, key: unknown): string {
  if (typeof key !== 'string') {
    throw new InvalidKeyError(
      `The key must be a non-empty string, but it is ${kindOf(key)}. Build it from the operation and its identifier, for instance 'order-confirmation#1042'; the work was not run.`,
    );
  }
  if (key === '') {
    throw new InvalidKeyError(
      `The key must be a non-empty string, but it is ''. Check that the field it is built from is present; the work was not run.`,
    );
  }
  if (!key.isWellFormed()) {
    throw new InvalidKeyError(
      'The key holds a lone surrogate, half of a character, which has no UTF-8 form. Check where its text was cut; the work was not run.',
    );
  }
  const stored = prefix + key;
  const bytes = Buffer.byteLength(stored);
  if (bytes > MAX_KEY_BYTES) {
    throw new InvalidKeyError(
      `The key takes ${bytes} bytes with its prefix, but DynamoDB allows ${MAX_KEY_BYTES}. Use a hash of its long part; the work was not run.`,
    );
  }
  return stored;
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : `of type ${typeof value}`;
}
