/** Why no retry mends a record: it cannot be read, or names no operation. */
export class Malformed {
  constructor(readonly cause: unknown) {}
}
