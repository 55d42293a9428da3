import { minuteRemovalOf, minuteRowOf } from './count-in-time';
import { hashtagsIn, trendRemovalsOf, trendRowsOf } from './trend-rows';
import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/data/load';
import { yearOf, type ListBucket } from '../../kit/data/buckets';
import type { ShardRouter } from '../../kit/data/shards';
import { areaRemovalsOf, areaRowsOf } from './area-rows';
import { hashtags, words } from '../../search/term.table';
import { termRemovalsOf, termRowsOf, topTermRowsOf } from './term-rows';
import { wordsOf } from '../../search/words';
import type { tweets } from '../../tweet/tweet.table';

type TweetRow = Row<typeof tweets>;

/** The rows by which a tweet is found by what is in it, and the months of the lists that they stand in. */
export function indexRowsOf(
  shardRouter: ShardRouter,
  tweet: TweetRow,
): { writes: Write[]; listBuckets: ListBucket[] } {
  const rows = [
    termRowsOf(shardRouter, words, wordsOf(tweet), tweet),
    termRowsOf(shardRouter, hashtags, hashtagsIn(tweet), tweet),
    areaRowsOf(tweet),
  ];
  return {
    writes: [minuteRowOf(tweet), ...trendRowsOf(tweet), ...rows.flatMap(({ writes }) => writes)],
    listBuckets: rows.flatMap(({ listBuckets }) => listBuckets),
  };
}

/** The rows by which those who look for its words and hashtags find it among the most liked. */
export function topIndexRowsOf(
  shardRouter: ShardRouter,
  tweet: TweetRow,
  magnitude: number,
): { writes: Write[]; listBuckets: ListBucket[] } {
  const rows = [
    topTermRowsOf(shardRouter, words, wordsOf(tweet), tweet, magnitude),
    topTermRowsOf(shardRouter, hashtags, hashtagsIn(tweet), tweet, magnitude),
  ];
  return {
    writes: rows.flatMap(({ writes }) => writes),
    listBuckets: rows.flatMap(({ listBuckets }) => listBuckets),
  };
}

/** The removal of all those rows, of some magnitudes, as of a time in microseconds; but for those of terms that stay. */
export async function indexRemovalsOf(
  load: Load,
  tweet: TweetRow,
  magnitudes: readonly number[],
  at: number,
  now: TweetRow | null = null,
): Promise<Write[]> {
  const staying = now && yearOf(now.createdAt) === yearOf(tweet.createdAt) ? now : null;
  const gone = (termsIn: (of: TweetRow) => Iterable<string>) => {
    const kept = new Set(staying === null ? [] : termsIn(staying));
    return [...termsIn(tweet)].filter((term) => !kept.has(term));
  };
  const ofTerms = await Promise.all([
    termRemovalsOf(load, words, gone(wordsOf), tweet, magnitudes, at),
    termRemovalsOf(load, hashtags, gone(hashtagsIn), tweet, magnitudes, at),
  ]);
  return [
    minuteRemovalOf(tweet, at),
    ...trendRemovalsOf(tweet, at),
    ...areaRemovalsOf(tweet, at),
    ...ofTerms.flat(),
  ];
}
