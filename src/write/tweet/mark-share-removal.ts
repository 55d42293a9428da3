import type { Database } from '../../kit/cassandra/database';
import { shareRemovalOf } from '../../tweet/share-removal';

/** How often a mark is written again. Readers find one for a minute at least. */
const RENEWED_EVERY_MS = 20_000;

/**
 * Makes readers leave out the shares of a deleted tweet until the returned function is called, `isNeeded` resolves to false, or
 * the process has ended for a minute.
 */
export async function markShareRemoval(
  database: Database,
  tweetId: string,
  isNeeded: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<() => void> {
  const mark = () => {
    const { query, params } = shareRemovalOf(tweetId);
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
