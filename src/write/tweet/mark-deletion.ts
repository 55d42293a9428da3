import { minuteOf } from '../../kit/base/minute';
import type { Database, Write } from '../../kit/cassandra/database';
import { writeOf } from '../../kit/data/write';
import { RENEWED_EVERY_MS, STORED_SECONDS } from '../../tweet/recent-deletions';
import { recentDeletions } from '../../tweet/tweet.table';
import type { WriteContext } from '../write-context';

/** The row that says that a tweet is being deleted, or changed by an import. It is written before anything is removed or changed. */
export function deletionMarkOf(tweetId: string, at = new Date()): Write {
  const timing = { at: Number(at) * 1000, ttl: STORED_SECONDS };
  return writeOf(recentDeletions, { minute: minuteOf(at), tweetId }, timing);
}

/**
 * Makes servers read a tweet again that they have kept, and leave out its shares, until the returned function is called,
 * `isNeeded` resolves to false, or the server stops. The server that goes on with the deletion marks it again.
 */
export async function markDeletion(
  { database, outbox: { stopping } }: Pick<WriteContext, 'outbox'> & { readonly database: Database },
  tweetId: string,
  isNeeded: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<() => void> {
  const mark = () => {
    const { query, params } = deletionMarkOf(tweetId);
    return database.write(query, params);
  };
  const renew = async () => {
    if (!stopping.aborted && (await isNeeded())) await mark();
    else clearInterval(renewing);
  };
  await mark();
  const renewing = setInterval(() => void renew().catch(() => undefined), RENEWED_EVERY_MS);
  renewing.unref();
  return () => {
    clearInterval(renewing);
  };
}
