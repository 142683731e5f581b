import { TestEnvironment } from 'jest-environment-node';

/**
 * The errors that Node.js itself makes, ECONNRESET and its like, are no `instanceof Error` in the context that jest gives
 * a test, and the SDK then replaces them. A function has one context, and so has this: `JSON` comes along for the
 * errors that it throws.
 */
export default class OuterErrorsEnvironment extends TestEnvironment {
  constructor(...parts) {
    super(...parts);
    Object.assign(this.global, { Error, JSON });
  }
}
