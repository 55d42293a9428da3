import type { Feature } from '../feature';
import {
  deletedByAuthor,
  deletedTweets,
  rawTweets,
  tweetInvalidations,
  repliesByTweet,
  sharesByTweet,
  topRepliesByTweet,
  topTweetsByAuthor,
  tweetCounts,
  tweets,
  tweetsByAuthor,
  tweetsByDay,
} from './tweet.table';
import { tweetById } from './visible';
import { RawResolver } from './raw.resolver';
import { AuthorResolver, TweetResolver } from './tweet.resolver';

/** Tweets: tables, resolvers and node types. */
export const tweet: Feature = {
  title: 'Tweets',
  tables: [
    tweets,
    tweetCounts,
    tweetsByAuthor,
    topTweetsByAuthor,
    tweetsByDay,
    repliesByTweet,
    topRepliesByTweet,
    sharesByTweet,
    rawTweets,
    deletedTweets,
    deletedByAuthor,
    tweetInvalidations,
  ],
  resolvers: [RawResolver, AuthorResolver, TweetResolver],
  nodeTypes: {
    Tweet: {
      key: 'tweetId',
      reads: [tweets, deletedTweets],
      load: (load, tweetId) => tweetById(load, tweetId),
    },
  },
};
