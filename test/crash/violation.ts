/** The API did something that it must not do. */
export class Violation extends Error {
  constructor(what: string, details?: unknown) {
    super(details === undefined ? what : `${what}, but got: ${JSON.stringify(details)}`);
  }
}

/** Throws a `Violation` unless `isTrue`. `what` says what must be true. */
export function must(what: string, isTrue: boolean, got: unknown): void {
  if (!isTrue) throw new Violation(what, got);
}

/** Throws a `Violation` unless two lists are equal. */
export function mustBe(what: string, got: readonly string[], expected: readonly string[]): void {
  must(`${what} must be ${JSON.stringify(expected)}`, JSON.stringify(got) === JSON.stringify(expected), got);
}
