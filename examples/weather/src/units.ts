import { dayOf, monthOf, yearOf } from 'murmuration/kit';

/** The length of time over which readings are summed up. */
export enum Unit {
  MINUTE = 'MINUTE',
  HOUR = 'HOUR',
  DAY = 'DAY',
}

const MINUTE_MS = 60_000;

/** The length of each unit in milliseconds, the partition that a moment is in, and the smaller unit that it is summed up from. */
export const units = {
  MINUTE: { length: MINUTE_MS, bucketOf: dayOf, parts: null },
  HOUR: { length: 60 * MINUTE_MS, bucketOf: monthOf, parts: Unit.MINUTE },
  DAY: { length: 1440 * MINUTE_MS, bucketOf: yearOf, parts: Unit.HOUR },
} as const;

/** When the minute, hour or day of a moment begins. */
export function startOf(unit: Unit, moment: Date): Date {
  const { length } = units[unit];
  return new Date(Math.floor(Number(moment) / length) * length);
}
