/** Something that is not as the model says. */
export interface Difference {
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Gathers what is not as the model says. */
export class Differences {
  readonly found: Difference[] = [];

  /** Compares two values by their JSON. */
  same(what: string, got: unknown, expected: unknown): void {
    if (JSON.stringify(got) !== JSON.stringify(expected)) this.found.push({ what, expected, got });
  }

  /** Compares two lists, and tells no more of them than how they differ. */
  sameList(what: string, got: readonly string[], expected: readonly string[]): void {
    const missing = expected.filter((item) => !got.includes(item));
    const surplus = got.filter((item, place) => !expected.includes(item) || got.indexOf(item) !== place);
    if (missing.length + surplus.length > 0)
      this.found.push({ what: `${what}, of ${expected.length}`, expected: missing, got: surplus });
    else this.same(`${what}, the order`, got, expected);
  }

  /** Compares two lists whose order does not matter. */
  sameSet(what: string, got: readonly string[], expected: readonly string[]): void {
    this.sameList(what, [...got].sort(), [...expected].sort());
  }
}

/** A difference in a line or two. */
export function tell({ what, expected, got }: Difference): string {
  const short = (value: unknown) => JSON.stringify(value).slice(0, 500);
  return `${what}: expected ${short(expected)}, got ${short(got)}`;
}
