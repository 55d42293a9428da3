import { badArgument } from './errors';

/** A range of time that includes `from` and excludes `to`. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** The times that tables can have: minutes since 1970 are 32-bit integers. */
const [EARLIEST, LATEST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('6000-01-01T00:00:00Z')];

/**
 * Creates a range of time. Throws `BAD_USER_INPUT` if it ends before it begins, or has other years than 1 to 5999.
 *
 * @example
 * ```ts
 * const october = periodOf(new Date('2026-10-01T00:00:00Z'), new Date('2026-11-01T00:00:00Z'));
 * ```
 */
export function periodOf(from: Date, to: Date): Period {
  for (const [name, at] of Object.entries({ from, to }))
    if (Number(at) < EARLIEST || Number(at) > LATEST)
      throw badArgument(name, `must be in the years 1 to 5999, but got: ${at.toISOString()}`);
  if (from > to)
    throw badArgument('from', `must not be after to, but got: ${from.toISOString()} and ${to.toISOString()}`);
  return { from, to };
}

/** The minute of a moment: minutes since 1970, UTC. */
export function minuteOf(moment: Date): number {
  return Math.floor(Number(moment) / 60_000);
}
