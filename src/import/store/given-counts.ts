import type { Database } from '../../kit/cassandra/database';
import { getStatement, type Statement } from '../../kit/cassandra/statement';
import type { RowOf } from '../../kit/cassandra/table';
import { readMany } from '../../kit/reads/load';
import { rawTweets } from '../../features/tweet/tweet.table';

const { raw: _raw, ...countColumns } = rawTweets.columns;

/** The counts that the source of a tweet gave; null where it gave none. */
export type GivenCounts = RowOf<typeof countColumns>;

/** Reads `raw_tweets` without the record, which may be long: null for a tweet that no import brought. */
export const countsOfRecord: Statement<{ tweetId: string }, GivenCounts | null> = getStatement({
  ...rawTweets,
  columns: countColumns,
});

/** Reads the counts that the sources of tweets gave, in the order of the keys. */
export async function readGivenCounts(
  database: Database,
  keys: readonly { readonly tweetId: string }[],
): Promise<GivenCounts[]> {
  const found = await readMany(database, countsOfRecord, keys);
  const none = { importedLikes: null, importedShares: null, importedReplies: null, importedQuotes: null };
  return keys.map(({ tweetId }, index) => found[index] ?? { tweetId, ...none });
}
