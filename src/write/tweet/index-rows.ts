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

/** The rows that index a tweet by its content: words, hashtags, location and minute. With the buckets of their lists. */
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

/** The rows that list a tweet among the most liked of its words and hashtags, with the buckets of their lists. */
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

/**
 * The removals of all those rows, for the given magnitudes; `at` is their write time in microseconds. Rows of terms that the
 * tweet still has in its state `now` stay.
 */
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
