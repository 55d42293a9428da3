import { timeOfId } from '../../kit/base/snowflake';
import type { StoredRow } from '../../kit/cassandra/table';

/** How long, in milliseconds, the rows of a new tweet may take to appear: another server stores them if its own has failed. */
export const MAX_STORING_MS = 5 * 60_000;

/** Whether a row belongs to a tweet that was posted a moment ago, whose source may not be stored yet. */
export function isNewTweet({ tweetId }: StoredRow): boolean {
  return Math.abs(Date.now() - Number(timeOfId(String(tweetId)))) < MAX_STORING_MS;
}
