import type { ImportRecord } from '../import/records/record';
import type { Like } from '../import/store/likes';
import { randomFrom } from '../kit/base/random';
import { rateAppeal, END, PEOPLE, demoUserId } from './network';

const DAY = 86_400_000;

const SEED = 11;

/** The most likes that a tweet of the demo gets. */
const MAX_LIKES = 200;

/**
 * Generates the likes of each tweet in a demo network, most within hours of the tweet; shares get none. Likes of a tweet
 * and likes by a person follow power laws: earlier accounts like more, and `ada` most. The same network gives the same
 * likes.
 */
export function* demoLikes(network: readonly ImportRecord[], people = PEOPLE): Generator<readonly Like[]> {
  const random = randomFrom(SEED);
  for (const record of network) {
    if (record.kind !== 'tweet' || record.sharedTweetId !== undefined) continue;
    const { tweetId, author, createdAt } = record;
    const wanted = Math.min(Math.floor(rateAppeal(tweetId)) - 1, MAX_LIKES, people - 1);
    const likers = new Set<string>();
    for (let tries = 0; likers.size < wanted && tries < wanted * 20; tries++)
      likers.add(demoUserId(Math.floor(random() ** 3 * people)));
    likers.delete(author.userId ?? '');
    const longest = Math.min(3 * DAY, END - Number(createdAt));
    yield [...likers].map((userId) => ({
      tweetId,
      userId,
      likedAt: new Date(Number(createdAt) + 1 + Math.floor(random() ** 3 * longest)),
    }));
  }
}
