import type { Differences } from '../crash/differences';

/** Asks a server. */
export type Ask = (
  source: string,
  variables: Readonly<Record<string, unknown>>,
) => Promise<{
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}>;

/** What became of the questions to one field. */
export interface Examined {
  readonly field: string;
  readonly asked: number;
  /** Tweets, points, cells or places in all answers. */
  readonly items: number;
  /** Questions that were refused as too large, rightly. */
  readonly refused: number;
  readonly differences: Differences;
}

export function tellErrors(errors: readonly { readonly message: string }[]): string[] {
  return errors.map(({ message }) => `refused: ${message}`);
}

export function compare(
  differences: Differences,
  what: string,
  found: readonly string[] | null,
  expected: readonly string[] | null,
): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  if (found && expected) differences.sameList(what, found, expected);
  else differences.same(what, found, expected);
}
