import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/data/load';
import { type ListBucket, yearOf } from '../../kit/data/buckets';
import { bucketMarkOf, readListPartitions, type ShardRouter } from '../../kit/data/shards';
import { removalOf, writeOf } from '../../kit/data/write';
import type { tweets } from '../../tweet/tweet.table';
import type { TermIndex } from '../../search/term.table';
import { ownerOf } from '../../search/term-owner';

type Found = Pick<Row<typeof tweets>, 'tweetId' | 'createdAt'>;

/** The rows by which a tweet is found by its terms, newest first. */
export function termRowsOf(
  shardRouter: ShardRouter,
  { newest }: TermIndex,
  terms: Iterable<string>,
  { tweetId, createdAt }: Found,
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
      bucket: bucketMarkOf(bucket),
    })),
  };
}

/** The rows by which it is found among the most liked, as `topRowsOf` says. */
export function topTermRowsOf(
  shardRouter: ShardRouter,
  { top }: TermIndex,
  terms: Iterable<string>,
  { tweetId, createdAt }: Found,
  magnitude: number,
): { writes: Write[]; listBuckets: ListBucket[] } {
  const year = yearOf(createdAt);
  const rows = [...terms].map((term) => {
    const owner = ownerOf(term);
    return { owner, term, bucket: shardRouter(top.name, owner, year, tweetId), magnitude, tweetId };
  });
  return {
    writes: rows.map((row) => writeOf(top, row)),
    listBuckets: rows.map(({ owner, bucket }) => ({ list: top.name, owner, bucket: bucketMarkOf(bucket) })),
  };
}

/** The removal of all those rows, of some magnitudes, as of a time in microseconds; wherever they may be. */
export async function termRemovalsOf(
  load: Load,
  { newest, top }: TermIndex,
  terms: Iterable<string>,
  { tweetId, createdAt }: Found,
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
