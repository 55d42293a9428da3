import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { removalsFrom, writesFrom } from '../../kit/lists/source';
import { buildThreadEntry } from './thread-entries';
import { deletedByAuthor, deletedReplies, tweetLists } from '../../features/tweet/tweet.lists';
import {
  deletedTweets,
  rawTweets,
  tweets,
  type StoredTweet,
  type TweetRow,
} from '../../features/tweet/tweet.table';

/** The properties of a tweet that decide in which lists it is. */
type Listed = Pick<
  TweetRow,
  'tweetId' | 'authorId' | 'createdAt' | 'inReplyToId' | 'sharedTweetId' | 'quotedTweetId'
>;

/** The rows of a tweet by id, author and day, and in the lists of what it replies to, shares or quotes. */
export function tweetRows(tweet: TweetRow & Partial<Pick<StoredTweet, 'rootId'>>): Write[] {
  return [writeOf(tweets, tweet), ...buildThreadEntry(tweet), ...writesFrom(tweetLists, tweet)];
}

/** The rows that record the deletion of a tweet. */
export function buildDeletedRows(tweet: Row<typeof deletedTweets>): Write[] {
  return [writeOf(deletedTweets, tweet), ...writesFrom([deletedByAuthor, deletedReplies], tweet)];
}

/** The removal of the record that a tweet was imported from; `at` is its write time in microseconds. */
export function removeRecordWrite({ tweetId }: Pick<TweetRow, 'tweetId'>, at: number): Write {
  return removalOf(rawTweets, { tweetId }, at);
}

/** The removals of the rows of `tweetRows`; `at` is their write time in microseconds. */
export function buildTweetRemovals(tweet: Listed, at: number): Write[] {
  const { tweetId } = tweet;
  return [removalOf(tweets, { tweetId }, at), ...removalsFrom(tweetLists, tweet, at)];
}
