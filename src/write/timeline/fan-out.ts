import type { Handler } from '../../kit/work/handler';
import { createLoad } from '../../kit/data/load';
import { deletedTweets, tweets } from '../../tweet/tweet.table';
import type { WriteContext } from '../write-context';
import { adjustMode, modeOf, pushedFollowersOf } from './fan-out-mode';
import { timelineInserterOf, readerOf } from './timeline-rows';
import type { FollowerPosition } from './author-pages';

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
  for await (const page of pushedFollowersOf(writeContext, tweet.authorId, mode, positionIn(progress))) {
    for (const row of page) if (!(await insert(bulk, readerOf(row)))) return;
    pushedCount += page.length;
    const last = page.at(-1);
    if (pushedCount < CHECKPOINT_EVERY_ROWS || last === undefined) continue;
    pushedCount = 0;
    await bulk.flush();
    await checkpoint(JSON.stringify([last.followedAt.getTime(), last.followerId]));
  }
  await bulk.flush();
  await adjustMode(writeContext, tweet.authorId);
}

function positionIn(progress: string | null): FollowerPosition | null {
  if (progress === null) return null;
  // Earlier versions wrote the month in front.
  const [followedAt, followerId] = (JSON.parse(progress) as (number | string)[]).slice(-2);
  return { followedAt: new Date(Number(followedAt)), followerId: String(followerId) };
}
