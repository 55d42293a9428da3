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
    likeCount: given[index]?.likeCount ?? former[index]?.likeCount ?? null,
    shareCount: given[index]?.shareCount ?? former[index]?.shareCount ?? null,
    replyCount: given[index]?.replyCount ?? former[index]?.replyCount ?? null,
  }));
}
