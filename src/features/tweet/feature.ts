import type { Feature } from '../feature';
import { seeTweet, shownBy, type HidingContext } from '../hidden/hiding';
import { engagementsByUser } from './engagement.table';
import {
  deletedByAuthor,
  deletedReplies,
  quotesByTweet,
  repliesByTweet,
  sharersByTweet,
  sharesByTweet,
  tweetsByAuthor,
  tweetsByDay,
} from './tweet.lists';
import {
  deletedTweets,
  rawTweets,
  tweetInvalidations,
  topRepliesByTweet,
  topTweetsByAuthor,
  tweetCounts,
  tweets,
  type TweetRow,
} from './tweet.table';
import { tweetById } from './visible';
import { RawResolver } from './raw.resolver';
import { tweetConnections } from './tweet.connections';
import { TweetResolver } from './tweet.resolver';

/** Tweets: tables, connections, resolvers and node types. */
export const tweetFeature: Feature = {
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
    sharersByTweet,
    engagementsByUser,
    quotesByTweet,
    rawTweets,
    deletedTweets,
    deletedByAuthor,
    deletedReplies,
    tweetInvalidations,
  ],
  connections: tweetConnections,
  resolvers: [RawResolver, TweetResolver],
  nodeTypes: {
    Tweet: {
      key: 'tweetId',
      reads: [tweets, deletedTweets],
      load: (load, tweetId) => tweetById(load, tweetId),
      shown: shownBy((context: HidingContext, row: TweetRow) => seeTweet(context, row, 'DIRECT')),
    },
  },
};
