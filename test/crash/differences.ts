/** A difference between the API and the model. */
export interface Difference {
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Collects differences. */
export class Differences {
  readonly found: Difference[] = [];

  /** Compares two values by their JSON. */
  same(what: string, got: unknown, expected: unknown): void {
    if (JSON.stringify(got) !== JSON.stringify(expected)) this.found.push({ what, expected, got });
  }

  /** Compares two lists. A difference has only the missing and the surplus items, or both lists if just the order differs. */
  sameList(what: string, got: readonly string[], expected: readonly string[]): void {
    const missing = expected.filter((item) => !got.includes(item));
    const surplus = got.filter((item, index) => !expected.includes(item) || got.indexOf(item) !== index);
    if (missing.length + surplus.length > 0)
      this.found.push({ what: `${what}, of ${expected.length}`, expected: missing, got: surplus });
    else this.same(`${what}, the order`, got, expected);
  }

  /** Compares two lists whose order does not matter. */
  sameSet(what: string, got: readonly string[], expected: readonly string[]): void {
    this.sameList(what, [...got].sort(), [...expected].sort());
  }
}

/** Formats a difference in one line. */
export function describeDifference({ what, expected, got }: Difference): string {
  const short = (value: unknown) => JSON.stringify(value).slice(0, 500);
  return `${what}: expected ${short(expected)}, got ${short(got)}`;
}
