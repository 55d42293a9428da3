import { id, int, text } from '../kit/cassandra/column';
import { table, type Row } from '../kit/cassandra/table';

const columns = { bucket: int, term: text, tweetId: id };
const topColumns = { bucket: int, term: text, magnitude: int, tweetId: id };
// Of what is walked together the owner comes first: the years of one word, and a year of several hashtags.
const byBucket = ['bucket', 'term'] as const;
const byTerm = ['term', 'bucket'] as const;
const clustering = ['tweetId'] as const;
const topClustering = ['magnitude', 'tweetId'] as const;

/** The tweets that have a word, newest first; a partition is a year, or a share of it: see `ShardRouter`. */
export const tweetsByWord = table('tweets_by_word', columns, { partition: byBucket, clustering });

/** The liked tweets that have a word, most liked first; a partition is a year, or a share of it. See `magnitudeOf`. */
export const topTweetsByWord = table('top_tweets_by_word', topColumns, {
  partition: byBucket,
  clustering: topClustering,
});

/** The tweets that have a hashtag, newest first; a partition is a year, or a share of it: see `ShardRouter`. */
export const tweetsByHashtag = table('tweets_by_hashtag', columns, { partition: byTerm, clustering });

/** The liked tweets that have a hashtag, most liked first; a partition is a year, or a share of it. See `magnitudeOf`. */
export const topTweetsByHashtag = table('top_tweets_by_hashtag', topColumns, {
  partition: byTerm,
  clustering: topClustering,
});

/** A tweet that has a term. */
export type TermRow = Row<typeof tweetsByWord>;

/** The tables by which tweets are found by terms of one kind. */
export interface TermIndex {
  readonly newest: typeof tweetsByWord;
  readonly top: typeof topTweetsByWord;
}

export const words: TermIndex = { newest: tweetsByWord, top: topTweetsByWord };
export const hashtags: TermIndex = { newest: tweetsByHashtag, top: topTweetsByHashtag };
