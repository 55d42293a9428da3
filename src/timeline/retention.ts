/** The moment so many months ago; null for null, which keeps everything. A month without that day counts to its last. */
export function monthsAgo(months: number | null): Date | null {
  return months === null ? null : addMonths(new Date(), -months);
}

/** For how many more seconds a tweet stays in timelines: 0 for ever, null no more. */
export function secondsLeft(createdAt: Date, months: number | null): number | null {
  if (months === null) return 0;
  const left = Math.ceil((Number(addMonths(createdAt, months)) - Date.now()) / 1000);
  return left > 0 ? Math.min(left, MAX_TTL_SECONDS) : null;
}

/** Cassandra keeps nothing for longer than twenty years that is to expire at all. */
const MAX_TTL_SECONDS = 20 * 365 * 86_400;

function addMonths(moment: Date, months: number): Date {
  const moved = new Date(moment);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== moment.getUTCDate()) moved.setUTCDate(0);
  return moved;
}
