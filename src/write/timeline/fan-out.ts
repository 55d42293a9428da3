import type { followersByUser } from '../../follow/follow.table';
import { timeOfId } from '../../kit/base/snowflake';
import type { Row } from '../../kit/cassandra/table';
import { createLoad } from '../../kit/data/load';
import type { RowWriter } from '../../kit/data/row-writer';
import { arrivalOf, isLate } from '../../kit/live/late-arrivals';
import type { Handler } from '../../kit/work/handler';
import { lateTopic, timelineTopic } from '../../live/topics';
import { timelinesByUser } from '../../timeline/timeline.table';
import { deletedTweets, tweets } from '../../tweet/tweet.table';
import type { WriteContext } from '../write-context';
import { adjustMode, modeOf, pushedFollowersOf } from './fan-out-mode';
import { timelineInserterOf, readerOf } from './timeline-rows';
import { followersOf, type FollowerPosition } from './author-pages';

/** How long, in milliseconds, a logged batch may take to be applied as a whole: nodes replay unfinished ones every minute. */
const MAX_BATCH_DELAY_MS = 5 * 60_000;

/** How many followers there are between two checkpoints. */
const CHECKPOINT_EVERY_ROWS = 5000;

/**
 * Writes a new tweet to the timelines of its author's followers, from the last checkpoint on. Throws while the tweet may
 * still be on its way, so that the task runs again.
 */
export async function fanOut(
  writeContext: WriteContext,
  tweetId: string,
  { createdAt, progress, checkpoint }: Parameters<Handler>[1],
): Promise<void> {
  const load = createLoad(writeContext.database);
  const tweet = await load(tweets.get, { tweetId });
  if (tweet === null) {
    if (await load(deletedTweets.get, { tweetId })) return;
    // The rest of the logged batch that enqueued this task may still be on its way.
    if (Date.now() - Number(createdAt) > MAX_BATCH_DELAY_MS) return;
    throw new Error(`tweet ${tweetId} is not stored yet`);
  }
  // Read after the tweet is stored: if the author changes to push later, that change finds the tweet itself.
  const mode = await modeOf(writeContext, tweet.authorId);
  const insert = timelineInserterOf(tweet, writeContext.retentionMonths);
  let pushedCount = 0;
  const bulk = writeContext.bulk();
  // Followers who merge the author's list in are not told one by one that a tweet came late to it, unless it did.
  if (mode.mode === 'pull' && isLate(timeOfId(tweetId)))
    for await (const page of followersOf(writeContext, tweet.authorId))
      await tell(writeContext, bulk, page, tweetId);
  for await (const page of pushedFollowersOf(writeContext, tweet.authorId, mode, positionIn(progress))) {
    for (const row of page) if (!(await insert(bulk, readerOf(row)))) return;
    await tell(writeContext, bulk, page, tweetId);
    pushedCount += page.length;
    const last = page.at(-1);
    if (pushedCount < CHECKPOINT_EVERY_ROWS || last === undefined) continue;
    pushedCount = 0;
    await checkpoint(JSON.stringify([last.followedAt.getTime(), last.followerId]));
  }
  await adjustMode(writeContext, tweet.authorId);
}

/**
 * Stores what was written to the timelines of some followers, and tells their subscriptions. What comes late is recorded, because
 * they only read the newest part of their timelines again.
 */
async function tell(
  { signals }: WriteContext,
  bulk: RowWriter,
  followers: readonly Row<typeof followersByUser>[],
  tweetId: string,
): Promise<void> {
  await bulk.flush();
  const readers = followers.map(({ followerId }) => followerId);
  const late = isLate(timeOfId(tweetId));
  if (late) {
    for (const reader of readers) await bulk.put(arrivalOf(timelinesByUser.name, reader, 'row', tweetId));
    await bulk.flush();
  }
  signals.publish(readers.map(late ? lateTopic : timelineTopic));
}

function positionIn(progress: string | null): FollowerPosition | null {
  if (progress === null) return null;
  // Earlier versions wrote the month in front.
  const [followedAt, followerId] = (JSON.parse(progress) as (number | string)[]).slice(-2);
  return { followedAt: new Date(Number(followedAt)), followerId: String(followerId) };
}
