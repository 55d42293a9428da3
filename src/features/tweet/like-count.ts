import type { Row } from '../../kit/cassandra/table';
import type { tweetCounts } from './tweet.table';

/** How many likes a tweet has: the imported number, plus what mutations added. */
export function likesIn(counts: Row<typeof tweetCounts> | null): number {
  return Math.max(0, (counts?.importedLikes ?? 0) + (counts?.likes ?? 0));
}
