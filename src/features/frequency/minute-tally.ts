import { minuteOf } from '../../kit/base/period';

/** The owner of a minute's tally: negative, also for minutes before 1970, because no id of a user or tweet is. */
export function nameMinuteTally(moment: Date): string {
  return String(-(2 ** 40) - minuteOf(moment));
}

/** The beginning of the minute that owns a tally; null for the tally of a user or a tweet. */
export function minuteOfTally(owner: string): Date | null {
  const minute = -(2 ** 40) - Number(owner);
  return BigInt(owner) >= 0n ? null : new Date(minute * 60_000);
}
