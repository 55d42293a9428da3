import { ttlOf } from '../../kit/cassandra/write';

/** The moment this many months ago, up to which tweets are past the retention; null for null, which keeps everything. */
export function monthsAgo(months: number | null): Date | null {
  return months === null ? null : addMonths(new Date(), -months);
}

/**
 * The time to live of a tweet in timelines, in seconds. 0: the row has none, because it is kept for ever or past 2038. Null: it is past the
 * retention.
 */
export function secondsLeft(createdAt: Date, months: number | null): number | null {
  if (months === null) return 0;
  const left = Math.ceil((Number(addMonths(createdAt, months)) - Date.now()) / 1000);
  return left > 0 ? ttlOf(left) : null;
}

/**
 * Moves a moment by months; to the end of a month that lacks its day. So a tweet is past the retention once `monthsAgo` has reached it, and
 * stays so.
 */
function addMonths(moment: Date, months: number): Date {
  const moved = new Date(moment);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== moment.getUTCDate()) {
    moved.setUTCDate(1);
    moved.setUTCHours(0, 0, 0, 0);
  }
  return moved;
}
