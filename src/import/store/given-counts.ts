import type { Database } from '../../kit/cassandra/database';
import { getStatement, type Statement } from '../../kit/cassandra/statement';
import type { Row } from '../../kit/cassandra/table';
import { readMany } from '../../kit/data/load';
import { rawTweets } from '../../tweet/tweet.table';
import { importedCounts } from './import.table';

/** The counts that the source of a tweet gave; null where it gave none. */
export type GivenCounts = Row<typeof importedCounts>;

/** Reads `raw_tweets` without the record, which may be long. */
const countsOfRecord: Statement<{ tweetId: string }, GivenCounts | null> = getStatement({
  ...rawTweets,
  columns: importedCounts.columns,
});

/** Reads the counts that the sources of tweets gave, in the order of the keys. */
export async function readGivenCounts(
  database: Database,
  keys: readonly { readonly tweetId: string }[],
): Promise<GivenCounts[]> {
  const [given, former] = await Promise.all([
    readMany(database, countsOfRecord, keys),
    readMany(database, importedCounts.get, keys),
  ]);
  return keys.map(({ tweetId }, index) => ({
    tweetId,
    importedLikes: given[index]?.importedLikes ?? former[index]?.importedLikes ?? null,
    importedShares: given[index]?.importedShares ?? former[index]?.importedShares ?? null,
    importedReplies: given[index]?.importedReplies ?? former[index]?.importedReplies ?? null,
  }));
}
