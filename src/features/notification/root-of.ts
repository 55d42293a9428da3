import type { tweets } from '../tweet/tweet.table';
import type { Row } from '../../kit/cassandra/table';

/** The root of the thread that a tweet is in. */
export function rootOf({ tweetId, inReplyToId }: Row<typeof tweets>): string {
  return inReplyToId ?? tweetId;
}
