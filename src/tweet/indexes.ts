import { minuteRemovalOf, minuteRowOf } from '../frequency/count';
import { hashtagsIn, trendRemovalsOf, trendRowsOf } from '../hashtag/trend-rows';
import type { Write } from '../kit/cassandra/database';
import type { Row } from '../kit/cassandra/table';
import { areaRemovalsOf, areaRowsOf } from '../map/area-rows';
import { hashtags, words } from '../search/term.table';
import { termRemovalsOf, termRowsOf, topTermRowsOf } from '../search/term-rows';
import { wordsOf } from '../search/words';
import type { ListMonth } from './rows';
import type { tweets } from './tweet.table';

type TweetRow = Row<typeof tweets>;

/** The rows by which a tweet is found by what is in it, and the months of the lists that they stand in. */
export function indexRowsOf(tweet: TweetRow): { writes: Write[]; months: ListMonth[] } {
  const parts = [
    termRowsOf(words, wordsOf(tweet), tweet),
    termRowsOf(hashtags, hashtagsIn(tweet), tweet),
    areaRowsOf(tweet),
  ];
  return {
    writes: [minuteRowOf(tweet), ...trendRowsOf(tweet), ...parts.flatMap(({ writes }) => writes)],
    months: parts.flatMap(({ months }) => months),
  };
}

/** The rows by which those who look for its words and hashtags find it among the most liked. */
export function topIndexRowsOf(tweet: TweetRow, magnitude: number): { writes: Write[]; months: ListMonth[] } {
  const parts = [
    topTermRowsOf(words, wordsOf(tweet), tweet, magnitude),
    topTermRowsOf(hashtags, hashtagsIn(tweet), tweet, magnitude),
  ];
  return {
    writes: parts.flatMap(({ writes }) => writes),
    months: parts.flatMap(({ months }) => months),
  };
}

/** The removal of all those rows, of some magnitudes, as of a time in microseconds. */
export function indexRemovalsOf(tweet: TweetRow, magnitudes: readonly number[], at: number): Write[] {
  return [
    minuteRemovalOf(tweet, at),
    ...trendRemovalsOf(tweet, at),
    ...areaRemovalsOf(tweet, at),
    ...termRemovalsOf(words, wordsOf(tweet), tweet, magnitudes, at),
    ...termRemovalsOf(hashtags, hashtagsIn(tweet), tweet, magnitudes, at),
  ];
}
