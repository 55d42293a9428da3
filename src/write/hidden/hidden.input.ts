import { badInput } from '../../kit/base/errors';

/** Checks when something ends. Throws `BAD_USER_INPUT` for a moment that has passed. */
export function checkUntil(until: Date | null | undefined): Date | null {
  if (until == null) return null;
  if (Number(until) <= Date.now())
    throw badInput(`until must be later than now, but got: ${until.toISOString()}`);
  return until;
}

/** The chosen values of an enum, each once; null if all are. Throws `BAD_USER_INPUT` for an empty list. */
export function chosenOf<T extends string>(
  name: string,
  given: readonly T[] | null | undefined,
  all: readonly T[],
): readonly T[] | null {
  if (given == null) return null;
  if (given.length === 0) throw badInput(`${name} must have an item, but got none: leave it out for all.`);
  const chosen = all.filter((value) => given.includes(value));
  return chosen.length === all.length ? null : chosen;
}
