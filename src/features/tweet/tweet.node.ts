import { connectionTypes } from '../../kit/lists/connection-field';
import { without } from '../../kit/cassandra/table';
import { node } from '../../kit/lists/node';
import { tweetHiding } from '../hidden/hiding';
import { cachedTweets } from './tweet-invalidations';
import { SHARES_CHECKED } from './tweet-reads';
import { tweets } from './tweet.table';
import { Tweet } from './tweet.type';
import { isByHidden, orphanTest } from './visible';

/** Tweets, as lists belong to them and show them. Lists leave out shares whose original was deleted. */
export const tweet = node(without(tweets, 'rootId'), {
  name: 'Tweet',
  type: () => Tweet,
  read: cachedTweets,
  // Likes and replies of a share are those of its original.
  madeBy: ({ authorId }) => authorId,
  ownerId: ({ tweetId, sharedTweetId }) => sharedTweetId ?? tweetId,
  hiding: tweetHiding,
  visible: {
    test({ load }) {
      const isOrphan = orphanTest(load);
      return (row, checks) =>
        row.sharedTweetId === null ||
        (isByHidden(load, row)
          ? 'hidden'
          : isOrphan(row, checks).then((isGone) => (isGone === null ? null : !isGone)));
    },
    reads: SHARES_CHECKED,
  },
});

/** The types of connections whose items are tweets. */
export const { edge: TweetEdge, connection: TweetConnection } = connectionTypes(tweet);
