import type { Database } from '../../kit/cassandra/database';
import { createBulkWriter } from '../../kit/writes/bulk';
import { putAll } from '../../kit/writes/row-writer';
import { createSignals } from '../../kit/subscriptions/signals';
import { readMany } from '../../kit/reads/load';
import { createTally, tallyShardOf } from '../../kit/work/tally';
import { factsOfTallies } from '../../write/notification/facts';
import { notifyOfPast } from '../../write/notification/notify-group';
import { like, likeLists } from '../../features/like/like.lists';
import { refreshTweetCounts } from '../../write/tweet/tweet-counts';
import { tweets } from '../../features/tweet/tweet.table';
import { forgetLike } from '../../write/like/set-liked';
import { notifyOfDeleted } from '../../write/notification/acts';
import type { WriteServices } from '../../write/write-services';

/** A like of a tweet by a user. */
export interface Like {
  readonly tweetId: string;
  readonly userId: string;
  readonly likedAt: Date;
}

/** How many tweets are liked at a time. Each takes up to 16 lightweight transactions at once. */
const TWEETS_AT_ONCE = 32;

/**
 * Stores the likes of tweets, which may have any time, by the transactions of `likeTweet`, and all that is derived from
 * them: the lists of likes, the counts, the lists of the most liked, and notifications. The tweets must exist. Storing them again changes
 * nothing.
 */
export async function storeLikes(
  database: Database,
  ofTweets: Iterable<readonly Like[]>,
  onProgress?: (tweets: number, total: number) => void,
): Promise<void> {
  const tally = createTally(database);
  const bulk = createBulkWriter(database);
  const writer = bulk();
  const services = { database, bulk, signals: createSignals() };
  const liked = [...ofTweets].filter((likes) => likes.length > 0);
  for (let n = 0; n < liked.length; n += TWEETS_AT_ONCE) {
    const some = liked.slice(n, n + TWEETS_AT_ONCE);
    const likeRows = await Promise.all(
      some.flat().map(async ({ tweetId, userId, likedAt }) => {
        const change = { owner: tweetId, list: 'likes', member: userId, present: true, at: likedAt };
        return like.writes(likeLists, tweetId, userId, await tally.change(change));
      }),
    );
    await putAll(writer, likeRows.flat());
    const tweetIds = some.flatMap(([first]) => first?.tweetId ?? []);
    await Promise.all(tweetIds.map((tweetId) => refreshTweetCounts({ database, tally, bulk }, tweetId)));
    const keys = some.flat().map(({ tweetId: owner, userId: member }) => ({
      ...{ owner, member, shard: tallyShardOf(member), list: like.tally },
    }));
    await notifyOfPast(services, await factsOfTallies(database, keys));
    await forgetDeleted(services, some.flat());
    onProgress?.(Math.min(n + TWEETS_AT_ONCE, liked.length), liked.length);
  }
}

/** Takes back what was stored of likes whose tweets were deleted meanwhile: a deletion removes the tweet first, and then what it finds. */
async function forgetDeleted(
  services: Pick<WriteServices, 'database' | 'bulk' | 'signals'>,
  likes: readonly Like[],
): Promise<void> {
  const tweetIds = [...new Set(likes.map(({ tweetId }) => tweetId))];
  const found = await readMany(
    services.database,
    tweets.get,
    tweetIds.map((tweetId) => ({ tweetId })),
  );
  const gone = new Set(tweetIds.filter((_, index) => found[index] === null));
  for (const { tweetId, userId, likedAt } of likes)
    if (gone.has(tweetId)) await forgetLike(services, tweetId, userId, likedAt);
  for (const tweetId of gone) await notifyOfDeleted(services, tweetId);
}
