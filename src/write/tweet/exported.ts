import { readMany } from '../../kit/reads/load';
import { tweetsByAuthor } from '../../features/tweet/tweet.lists';
import { rawTweets } from '../../features/tweet/tweet.table';
import { exportList, type ExportedPart } from '../exported';

/** The record of an imported tweet has up to a megabyte. */
const TWEETS_AT_ONCE = 20;

/** The posts of a person: tweets, replies, quotes and shares, with the record and the counts of those that were imported. */
export const tweetExported: readonly ExportedPart[] = [
  exportList(
    'tweets',
    tweetsByAuthor,
    async (database, tweets) => {
      const records = await readMany(
        database,
        rawTweets.get,
        tweets.map(({ tweetId }) => ({ tweetId })),
      );
      return tweets.map((tweet, index) => {
        const { tweetId, content, createdAt, language, location } = tweet;
        const { inReplyToId, sharedTweetId, quotedTweetId } = tweet;
        const { tweetId: _, ...imported } = records[index] ?? {};
        return {
          ...{ tweetId, content, createdAt, language, location },
          ...{ inReplyToId, sharedTweetId, quotedTweetId, ...imported },
        };
      });
    },
    TWEETS_AT_ONCE,
  ),
];
