import { badInput } from './errors';

/** A range of time, without its end. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** A range of time; `BAD_USER_INPUT` where it ends before it begins. */
export function periodOf(from: Date, to: Date): Period {
  if (from > to)
    throw badInput(`from must not be after to, but got: ${from.toISOString()} and ${to.toISOString()}`);
  return { from, to };
}
