import type { Database } from '../kit/cassandra/database';
import { createLoad } from '../kit/load';
import { writeOf } from '../kit/write';
import type { Writing } from '../writing';
import { likesIn, magnitudeOf, placesOf } from './magnitude';
import { tweetCounts, tweets } from './tweet.table';

/** Makes the counts that are shown of a tweet what the tallies say, and has it found among the most liked by them. */
export async function refreshTweetCounts(
  { database, tally }: Pick<Writing, 'database' | 'tally'>,
  tweetId: string,
): Promise<void> {
  const load = createLoad(database);
  const [{ counts, version }, before] = await Promise.all([
    tally.totals(tweetId),
    load(tweetCounts.get, { tweetId }),
  ]);
  if (version === 0) return;
  const after = {
    likes: counts.get('likes') ?? 0,
    shares: counts.get('shares') ?? 0,
    replies: counts.get('replies') ?? 0,
  };
  const likes = (before?.likeCount ?? 0) + after.likes;
  // Before the count is shown, so that nobody misses it.
  if (magnitudeOf(likes) !== magnitudeOf(likesIn(before))) await placeByLikes(database, tweetId, likes);
  // The greater version is the newer one, whoever writes last.
  const { query, params } = writeOf(tweetCounts, { tweetId, ...after }, { at: version });
  await database.write(query, params);
  // An import may have written its part meanwhile: whichever of the two looks last sees both.
  const shown = likesIn(await createLoad(database)(tweetCounts.get, { tweetId }));
  if (magnitudeOf(shown) !== magnitudeOf(likes)) await placeByLikes(database, tweetId, shown);
}

async function placeByLikes(database: Database, tweetId: string, likes: number): Promise<void> {
  const tweet = await createLoad(database)(tweets.get, { tweetId });
  const places = tweet === null ? [] : placesOf(tweet, magnitudeOf(likes));
  if (places.length > 0) await database.batch(places);
}
