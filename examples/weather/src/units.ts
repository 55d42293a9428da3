import { dayOf, monthOf, yearOf } from 'murmuration/kit';

/** Over what readings are summed up. */
export enum Unit {
  MINUTE = 'MINUTE',
  HOUR = 'HOUR',
  DAY = 'DAY',
}

const MINUTE = 60_000;

/** How long each is, in milliseconds; in what partitions it is kept; and of which smaller ones it is made. */
export const units = {
  MINUTE: { length: MINUTE, bucketOf: dayOf, parts: null },
  HOUR: { length: 60 * MINUTE, bucketOf: monthOf, parts: Unit.MINUTE },
  DAY: { length: 1440 * MINUTE, bucketOf: yearOf, parts: Unit.HOUR },
} as const;

/** When the range of a moment begins. */
export function startOf(unit: Unit, moment: Date): Date {
  const { length } = units[unit];
  return new Date(Math.floor(Number(moment) / length) * length);
}
