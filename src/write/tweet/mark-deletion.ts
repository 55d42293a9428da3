import type { Database, Write } from '../../kit/cassandra/database';
import { writeOf } from '../../kit/data/write';
import {
  MARK_SECONDS,
  minuteOf,
  recentDeletions,
  RENEWED_EVERY_MS,
} from '../../tweet/recent-deletions.table';

/** The row that says that a tweet is being deleted. It is written before anything is removed. */
export function deletionMarkOf(tweetId: string): Write {
  const at = Date.now();
  return writeOf(recentDeletions, { minute: minuteOf(at), tweetId }, { at: at * 1000, ttl: MARK_SECONDS });
}

/**
 * Makes servers read a tweet again that they have kept, and leave out its shares, until the returned function is called,
 * `isNeeded` resolves to false, or the process has ended for a minute.
 */
export async function markDeletion(
  database: Database,
  tweetId: string,
  isNeeded: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<() => void> {
  const mark = () => {
    const { query, params } = deletionMarkOf(tweetId);
    return database.write(query, params);
  };
  const renew = async () => {
    if (await isNeeded()) await mark();
    else clearInterval(renewing);
  };
  await mark();
  const renewing = setInterval(() => void renew().catch(() => undefined), RENEWED_EVERY_MS);
  renewing.unref();
  return () => {
    clearInterval(renewing);
  };
}
