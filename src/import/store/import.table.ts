import { id, int, optional, text } from '../../kit/cassandra/column';
import type { Database } from '../../kit/cassandra/database';
import { getStatement, type Statement } from '../../kit/cassandra/statement';
import { table, type Row } from '../../kit/cassandra/table';
import { readMany } from '../../kit/data/load';
import { rawTweets } from '../../tweet/tweet.table';

/** The counts that the source of an imported tweet gave, as earlier versions stored them. Those with its record are newer. */
export const importedCounts = table(
  'imported_counts',
  { tweetId: id, likeCount: optional(int), shareCount: optional(int), replyCount: optional(int) },
  { partition: ['tweetId'] },
);

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

/** The imports that have written rows and not yet settled them. All are in one partition. */
export const unsettledImports = table(
  'unsettled_imports',
  { part: int, run: text },
  { partition: ['part'], clustering: ['run'], order: 'asc' },
);
