import type { Database } from '../../kit/cassandra/database';
import { readMany } from '../../kit/reads/load';
import { countsOfRecord, type GivenCounts } from '../../features/tweet/tweet.table';

/** Reads the counts that the sources of tweets gave, in the order of the keys. */
export async function readGivenCounts(
  database: Database,
  keys: readonly { readonly tweetId: string }[],
): Promise<GivenCounts[]> {
  const found = await readMany(database, countsOfRecord, keys);
  const none = { importedLikes: null, importedShares: null, importedReplies: null, importedQuotes: null };
  return keys.map(({ tweetId }, index) => found[index] ?? { tweetId, ...none });
}
