import { registerEnumType } from 'type-graphql';
import { dayOf, monthOf } from '../kit/data/buckets';

/** How long the ranges are in which tweets are counted. */
export enum FrequencyUnit {
  MINUTE = 'MINUTE',
  HOUR = 'HOUR',
  DAY = 'DAY',
}
registerEnumType(FrequencyUnit, {
  name: 'FrequencyUnit',
  description: 'How long the ranges are in which tweets are counted; they begin at whole ones, UTC.',
});

const MINUTE = 60_000;

/** How long a unit is, in milliseconds. */
export const lengths: Readonly<Record<FrequencyUnit, number>> = {
  MINUTE,
  HOUR: 60 * MINUTE,
  DAY: 24 * 60 * MINUTE,
};

/** The partition of a unit that holds a moment: minutes of a day, hours of a month, days of a year. */
export const periods: Readonly<Record<FrequencyUnit, (moment: Date) => number>> = {
  MINUTE: dayOf,
  HOUR: monthOf,
  DAY: (moment) => moment.getUTCFullYear(),
};

/** Of which smaller unit a unit is made; of minutes there are none but the tweets themselves. */
export const SMALLER = { DAY: FrequencyUnit.HOUR, HOUR: FrequencyUnit.MINUTE, MINUTE: null } as const;

/** When the range of a unit began that holds a moment. */
export function startOf(unit: FrequencyUnit, moment: Date): Date {
  return new Date(Math.floor(Number(moment) / lengths[unit]) * lengths[unit]);
}
