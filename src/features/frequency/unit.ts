import { registerEnumType } from 'type-graphql';
import { dayOf, monthOf } from '../../kit/lists/buckets';

/** The length of the ranges in which tweets are counted. */
export enum FrequencyUnit {
  MINUTE = 'MINUTE',
  HOUR = 'HOUR',
  DAY = 'DAY',
}
registerEnumType(FrequencyUnit, {
  name: 'FrequencyUnit',
  description: 'The length of the ranges in which tweets are counted. Ranges begin at whole units, UTC.',
});

const MINUTE = 60_000;

/** The length of each unit, in milliseconds. */
export const unitLengths: Readonly<Record<FrequencyUnit, number>> = {
  MINUTE,
  HOUR: 60 * MINUTE,
  DAY: 24 * 60 * MINUTE,
};

/** The partition of a moment for each unit: minutes of a day, hours of a month, days of a year. */
export const unitPeriods: Readonly<Record<FrequencyUnit, (moment: Date) => number>> = {
  MINUTE: dayOf,
  HOUR: monthOf,
  DAY: (moment) => moment.getUTCFullYear(),
};

/** The next smaller unit of each unit; null for minutes, whose tweets are stored one by one. */
export const SMALLER = { DAY: FrequencyUnit.HOUR, HOUR: FrequencyUnit.MINUTE, MINUTE: null } as const;

/** When the range of a moment begins. */
export function startOfUnit(unit: FrequencyUnit, moment: Date): Date {
  return new Date(Math.floor(Number(moment) / unitLengths[unit]) * unitLengths[unit]);
}
