import { LRUCache } from 'lru-cache';
import type { Load } from '../../kit/reads/load';
import { foldedHashtag, hashtagTerm } from '../search/terms';
import type { TweetIndexes } from '../search/tweet-index';
import { cachedTweets } from '../tweet/tweet-invalidations';

/** How many of the newest tweets of a hashtag say how it is written. */
export const SPELLING_TWEETS = 10;

/**
 * Whether any tweet has a hashtag, given as it is compared, or had it: of one that is longer than a term, or another one that begins like
 * it. The index's view must be up to date.
 */
export async function isUsed(load: Load, { newest }: TweetIndexes, key: string): Promise<boolean> {
  return (await newest.someHaving(load, hashtagTerm(key), 0)) !== null;
}

/**
 * Reads how a hashtag, given as it is compared, is shown: as most of ten of its newest tweets write it. If two spellings are equally
 * frequent, the newer one is shown. If there are no such tweets, or they are deleted or hidden, it is shown as it is compared. The index's
 * view must be up to date.
 */
export async function readSpelling(load: Load, indexes: TweetIndexes, key: string): Promise<string> {
  const counts = new Map<string, number>();
  for (const name of await namesOf(load, indexes, key)) counts.set(name, (counts.get(name) ?? 0) + 1);
  // The sort is stable, so of names that are as frequent the newest comes first.
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? key;
}

/** A hashtag as each of ten of its newest tweets writes it. Tweets that are deleted, or of users who are hidden, are left out. */
async function namesOf(load: Load, { newest }: TweetIndexes, key: string): Promise<string[]> {
  const places = (await newest.someHaving(load, hashtagTerm(key), SPELLING_TWEETS)) ?? [];
  const found = await Promise.all(places.map(({ id }) => load(cachedTweets, { tweetId: id })));
  const shown = found.filter((tweet) => tweet !== null && load.isHidden?.(tweet.authorId) !== true);
  return shown.flatMap((tweet) => tweet?.hashtags ?? []).filter((name) => foldedHashtag(name) === key);
}

/** The most hashtags whose spelling is remembered for trends, and for how long, in milliseconds. */
const MAX_REMEMBERED = 2000;
const REMEMBERED_MS = 600_000;

/** Finds spellings, and remembers them for ten minutes. */
export function createSpellings(indexes: TweetIndexes) {
  const known = new LRUCache<string, string>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  return async (load: Load, key: string): Promise<string> => {
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const spelling = await readSpelling(load, indexes, key);
    known.set(key, spelling);
    return spelling;
  };
}
