import { id, int, text } from '../kit/cassandra/column';
import { table, type Row } from '../kit/cassandra/table';

const columns = { bucket: int, term: text, tweetId: id };
const topColumns = { bucket: int, term: text, magnitude: int, tweetId: id };
// Reads that differ only in the first column become one request: the years of one word, or one year of several hashtags.
const byBucket = ['bucket', 'term'] as const;
const byTerm = ['term', 'bucket'] as const;
const clustering = ['tweetId'] as const;
const topClustering = ['magnitude', 'tweetId'] as const;

/** The tweets that have a word, newest first; a partition is a year, or a shard of one: see `ShardRouter`. */
export const tweetsByWord = table('tweets_by_word', columns, { partition: byBucket, clustering });

/** The liked tweets that have a word, most liked first; a partition is a year, or a shard of one. See `magnitudeOf`. */
export const topTweetsByWord = table('top_tweets_by_word', topColumns, {
  partition: byBucket,
  clustering: topClustering,
});

/** The tweets that have a hashtag, newest first; a partition is a year, or a shard of one: see `ShardRouter`. */
export const tweetsByHashtag = table('tweets_by_hashtag', columns, { partition: byTerm, clustering });

/** The liked tweets that have a hashtag, most liked first; a partition is a year, or a shard of one. See `magnitudeOf`. */
export const topTweetsByHashtag = table('top_tweets_by_hashtag', topColumns, {
  partition: byTerm,
  clustering: topClustering,
});

/** A row of a tweet that has a term. */
export type TermRow = Row<typeof tweetsByWord>;

/** The two tables that index tweets by terms of one kind. */
export interface TermIndex {
  readonly newest: typeof tweetsByWord;
  readonly top: typeof topTweetsByWord;
}

/** The index of words. */
export const words: TermIndex = { newest: tweetsByWord, top: topTweetsByWord };
/** The index of hashtags. */
export const hashtags: TermIndex = { newest: tweetsByHashtag, top: topTweetsByHashtag };
