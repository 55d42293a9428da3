import { minuteOf } from '../../kit/base/period';
import type { Database, Write } from '../../kit/cassandra/database';
import { writeOf } from '../../kit/cassandra/write';
import { RENEWED_EVERY_MS, STORED_SECONDS } from '../../features/tweet/tweet-invalidations';
import { tweetInvalidations } from '../../features/tweet/tweet.table';
import type { WriteServices } from '../write-services';

/** The row that makes servers read a tweet again. It is written before a deletion removes anything, or an import changes the tweet. */
export function invalidationWrite(tweetId: string, at = new Date()): Write {
  const timing = { at: Number(at) * 1000, ttl: STORED_SECONDS };
  return writeOf(tweetInvalidations, { minute: minuteOf(at), tweetId }, timing);
}

/**
 * Makes servers read a deleted tweet again and leave out its shares, until the returned function is called, `isNeeded` resolves
 * to false, or the server stops. A server that takes the deletion over invalidates the tweet itself.
 */
export async function keepInvalidating(
  { database, outbox: { stopping } }: Pick<WriteServices, 'outbox'> & { readonly database: Database },
  tweetId: string,
  isNeeded: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<() => void> {
  const invalidate = () => {
    const { query, params } = invalidationWrite(tweetId);
    return database.write(query, params);
  };
  const renew = async () => {
    if (!stopping.aborted && (await isNeeded())) await invalidate();
    else clearInterval(renewing);
  };
  await invalidate();
  const renewing = setInterval(() => void renew().catch(() => undefined), RENEWED_EVERY_MS);
  renewing.unref();
  return () => {
    clearInterval(renewing);
  };
}
