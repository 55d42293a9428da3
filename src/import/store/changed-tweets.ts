import type { TweetRow } from '../../features/tweet/tweet.table';

/** The ids of stored tweets that an import is about to change. `stored` has them in the order of `rows`, null for new ones. */
export function changedAmong(rows: readonly TweetRow[], stored: readonly (TweetRow | null)[]): string[] {
  return rows.flatMap((row, index) => {
    const before = stored[index];
    return before != null && isChanged(row, before) ? [row.tweetId] : [];
  });
}

/** Whether storing a row changes what is shown. A null is not stored, except that a tweet without a location is removed before. */
export function isChanged(row: TweetRow, before: TweetRow): boolean {
  return Object.entries(row).some(
    ([property, value]) =>
      (value !== null || property === 'location') &&
      comparableText(value) !== comparableText(Reflect.get(before, property)),
  );
}

/** A value as a string that can be compared. An empty list is stored as nothing, and so is a country that is not known. */
function comparableText(value: unknown): string {
  if (typeof value !== 'object' || value === null || value instanceof Date) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'null' : JSON.stringify(value);
  const parts = Object.entries(value).filter(([, part]) => part != null);
  return JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
}
