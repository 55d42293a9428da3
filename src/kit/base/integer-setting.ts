import { z } from 'zod';

/** A setting that is a whole number between two bounds, both included. */
export function integerSetting(least: number, most = Number.MAX_SAFE_INTEGER) {
  const error = `must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}
