import type { Differences } from '../crash/differences';

/** Sends a query to a server. */
export type Ask = (
  source: string,
  variables: Readonly<Record<string, unknown>>,
) => Promise<{
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}>;

/** The result of the questions to one field. */
export interface Examined {
  readonly field: string;
  readonly asked: number;
  /** How many tweets, points, cells or ranked users all answers have. */
  readonly items: number;
  /** Questions that were refused as too large, as they should be. */
  readonly refused: number;
  readonly differences: Differences;
}

export function describeErrors(errors: readonly { readonly message: string }[]): string[] {
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
