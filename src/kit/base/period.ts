import { badInput } from './errors';

/** A range of time that includes `from` and excludes `to`. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** Creates a range of time. Throws `BAD_USER_INPUT` if it ends before it begins. */
export function periodOf(from: Date, to: Date): Period {
  if (from > to)
    throw badInput(`from must not be after to, but got: ${from.toISOString()} and ${to.toISOString()}`);
  return { from, to };
}
