import { id, int, text } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

const columns = { bucket: int, term: text, tweetId: id };
const key = { partition: ['bucket', 'term'], clustering: ['tweetId'] } as const;
const topColumns = { bucket: int, term: text, magnitude: int, tweetId: id };
const topKey = { partition: ['bucket', 'term'], clustering: ['magnitude', 'tweetId'] } as const;

/** The tweets that have a word, newest first; a partition is a month. */
export const tweetsByWord = table('tweets_by_word', columns, key);

/** The liked tweets that have a word, most liked first; a partition is a year. See `magnitudeOf`. */
export const topTweetsByWord = table('top_tweets_by_word', topColumns, topKey);

/** The tweets that have a hashtag, newest first; a partition is a month. */
export const tweetsByHashtag = table('tweets_by_hashtag', columns, key);

/** The liked tweets that have a hashtag, most liked first; a partition is a year. See `magnitudeOf`. */
export const topTweetsByHashtag = table('top_tweets_by_hashtag', topColumns, topKey);

/** The tables by which tweets are found by terms of one kind. */
export interface TermIndex {
  readonly newest: typeof tweetsByWord;
  readonly top: typeof topTweetsByWord;
}

export const words: TermIndex = { newest: tweetsByWord, top: topTweetsByWord };
export const hashtags: TermIndex = { newest: tweetsByHashtag, top: topTweetsByHashtag };
