/** The API did what it must not do. */
export class Violation extends Error {
  constructor(what: string, details?: unknown) {
    super(details === undefined ? what : `${what}, but got: ${JSON.stringify(details)}`);
  }
}

/** Throws a `Violation` unless something holds. */
export function must(what: string, holds: boolean, got: unknown): void {
  if (!holds) throw new Violation(what, got);
}

/** Throws a `Violation` unless a list is the expected one. */
export function mustBe(what: string, got: readonly string[], expected: readonly string[]): void {
  must(`${what} must be ${JSON.stringify(expected)}`, JSON.stringify(got) === JSON.stringify(expected), got);
}
