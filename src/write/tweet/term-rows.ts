import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/data/load';
import { type ListBucket, yearOf } from '../../kit/data/buckets';
import { bucketEntryOf, readListPartitions, type ShardRouter } from '../../kit/data/shards';
import { removalOf, writeOf } from '../../kit/data/write';
import type { tweets } from '../../tweet/tweet.table';
import type { TermIndex } from '../../search/term.table';
import { ownerOf } from '../../search/term-owner';

type IndexedTweet = Pick<Row<typeof tweets>, 'tweetId' | 'createdAt'>;

/** The rows that list a tweet under its terms, newest first, with the buckets of their lists. */
export function termRowsOf(
  shardRouter: ShardRouter,
  { newest }: TermIndex,
  terms: Iterable<string>,
  { tweetId, createdAt }: IndexedTweet,
): { writes: Write[]; listBuckets: ListBucket[] } {
  const year = yearOf(createdAt);
  const rows = [...terms].map((term) => {
    const owner = ownerOf(term);
    return { owner, term, bucket: shardRouter(newest.name, owner, year, tweetId), tweetId };
  });
  return {
    writes: rows.map((row) => writeOf(newest, row)),
    listBuckets: rows.map(({ owner, bucket }) => ({
      list: newest.name,
      owner,
      bucket: bucketEntryOf(bucket),
    })),
  };
}

/** The rows that list a tweet among the most liked of its terms, with the buckets of their lists; see `topRowsOf`. */
export function topTermRowsOf(
  shardRouter: ShardRouter,
  { top }: TermIndex,
  terms: Iterable<string>,
  { tweetId, createdAt }: IndexedTweet,
  magnitude: number,
): { writes: Write[]; listBuckets: ListBucket[] } {
  const year = yearOf(createdAt);
  const rows = [...terms].map((term) => {
    const owner = ownerOf(term);
    return { owner, term, bucket: shardRouter(top.name, owner, year, tweetId), magnitude, tweetId };
  });
  return {
    writes: rows.map((row) => writeOf(top, row)),
    listBuckets: rows.map(({ owner, bucket }) => ({ list: top.name, owner, bucket: bucketEntryOf(bucket) })),
  };
}

/**
 * The removals of all those rows, for the given magnitudes, from every partition where they may be; `at` is their write time
 * in microseconds.
 */
export async function termRemovalsOf(
  load: Load,
  { newest, top }: TermIndex,
  terms: Iterable<string>,
  { tweetId, createdAt }: IndexedTweet,
  magnitudes: readonly number[],
  at: number,
): Promise<Write[]> {
  const partitionsOf = async (list: string, term: string) =>
    (await readListPartitions(load, list, ownerOf(term))).partitionsOf(yearOf(createdAt), [tweetId]);
  const writes = [...terms].map(async (term) => {
    const [ofNewest, ofTop] = await Promise.all([
      partitionsOf(newest.name, term),
      partitionsOf(top.name, term),
    ]);
    return [
      ...ofNewest.map((bucket) => removalOf(newest, { bucket, term, tweetId }, at)),
      ...ofTop.flatMap((bucket) =>
        magnitudes.map((magnitude) => removalOf(top, { bucket, term, magnitude, tweetId }, at)),
      ),
    ];
  });
  return (await Promise.all(writes)).flat();
}
