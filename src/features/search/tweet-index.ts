import type { Context } from '../../context';
import type { Database } from '../../kit/cassandra/database';
import { magnitudeOf } from '../../kit/base/magnitude';
import type { Load } from '../../kit/reads/load';
import type { Entry, Place } from '../../kit/postings/entry';
import { InvertedIndex, type IndexedList } from '../../kit/postings/inverted-index';
import { sharedIndex } from '../../kit/postings/shared-index';
import { likesIn, tweetCounts, tweets, type TweetRow } from '../tweet/tweet.table';
import { findTweetTerms, knownTerms } from './words';

/** The lists that are indexed: all tweets, newest first, and the liked ones, by magnitude of likes: see `magnitudeOf`. */
export const TWEETS = 'tweets';
const LIKED_TWEETS = 'liked_tweets';

const termsByRow = new WeakMap<TweetRow, readonly string[]>();

/** The same for a row whose entries are made for both lists. */
function termsOfRow(tweet: TweetRow): readonly string[] {
  const terms = termsByRow.get(tweet) ?? findTweetTerms(tweet);
  termsByRow.set(tweet, terms);
  return terms;
}

/** The entry of a tweet in the list of all tweets. */
export function tweetEntry(tweet: TweetRow): Entry {
  return { rank: 0, id: tweet.tweetId, terms: termsOfRow(tweet) };
}

/** The same for a new tweet, whose terms subscriptions ask for in the same moment. */
export function newTweetEntry(tweet: TweetRow): Entry {
  return { rank: 0, id: tweet.tweetId, terms: [...knownTerms(tweet)] };
}

/** The entry of a tweet in the list of the liked ones; null for shares and tweets without likes, which are not in it. */
export function likedEntry(tweet: TweetRow, magnitude: number): Entry | null {
  if (magnitude === 0 || tweet.sharedTweetId !== null) return null;
  return { rank: magnitude, id: tweet.tweetId, terms: termsOfRow(tweet) };
}

/** The inverted indexes of tweets, as a server keeps them. */
export interface TweetIndexes {
  readonly newest: InvertedIndex;
  readonly liked: InvertedIndex;
}

/** The context of a query that searches. */
export interface SearchContext extends Context {
  readonly indexes: TweetIndexes;
}

const NEWEST: IndexedList = { list: TWEETS, termsOf: termsOfTweets };
const LIKED: IndexedList = { list: LIKED_TWEETS, termsOf: termsOfLikedTweets };

/** The inverted indexes of tweets. All work of a server with one database shares them. */
export function tweetIndexesIn(database: Database): TweetIndexes {
  return { newest: sharedIndex(database, NEWEST), liked: sharedIndex(database, LIKED) };
}

/** Creates inverted indexes of tweets that know nothing yet. */
export function createTweetIndexes(database: Database): TweetIndexes {
  return { newest: new InvertedIndex(database, NEWEST), liked: new InvertedIndex(database, LIKED) };
}

function readTweets(load: Load, places: readonly Place[]): Promise<(TweetRow | null)[]> {
  return Promise.all(places.map(({ id }) => load(tweets.get, { tweetId: id })));
}

async function termsOfTweets(load: Load, places: readonly Place[]) {
  return (await readTweets(load, places)).map((tweet) => tweet && findTweetTerms(tweet));
}

/** A tweet has a place for each magnitude that its likes came to. Only the present one counts. */
async function termsOfLikedTweets(load: Load, places: readonly Place[]) {
  const [found, counts] = await Promise.all([
    readTweets(load, places),
    Promise.all(places.map(({ id }) => load(tweetCounts.get, { tweetId: id }))),
  ]);
  return found.map((tweet, index) =>
    tweet !== null && magnitudeOf(likesIn(counts[index] ?? null)) === places[index]?.rank
      ? findTweetTerms(tweet)
      : null,
  );
}
