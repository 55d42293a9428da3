import type { Row } from '../kit/cassandra/table';
import type { tweetCounts } from './tweet.table';

/** How many like a tweet: those that were imported and those that came or left since. */
export function likesIn(counts: Row<typeof tweetCounts> | null): number {
  return Math.max(0, (counts?.likeCount ?? 0) + (counts?.likes ?? 0));
}
