import { createLoad } from '../kit/load';
import { writeOf } from '../kit/write';
import type { Writing } from '../writing';
import { likesIn, magnitudeOf, placesOf } from './magnitude';
import { tweetCounts, tweets } from './tweet.table';

/** Makes the counts that are shown of a tweet what the tallies say, and has it found among the most liked by them. */
export async function refreshTweetCounts({ database, tally }: Writing, tweetId: string): Promise<void> {
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
  const magnitude = magnitudeOf((before?.likeCount ?? 0) + after.likes);
  if (magnitude !== magnitudeOf(likesIn(before))) {
    const tweet = await load(tweets.get, { tweetId });
    const places = tweet === null ? [] : placesOf(tweet, magnitude);
    if (places.length > 0) await database.batch(places);
  }
  // The greater version is the newer one, whoever writes last.
  const { query, params } = writeOf(tweetCounts, { tweetId, ...after }, { at: version });
  await database.write(query, params);
}
