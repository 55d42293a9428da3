import type { Handler } from '../../kit/work/handler';
import { createLoad } from '../../kit/data/load';
import { deletedTweets, tweets } from '../../tweet/tweet.table';
import type { WriteContext } from '../write-context';
import { adjustMode, modeOf, pushedFollowersOf } from './fan-out-mode';
import { timelineInserterOf, readerOf } from './timeline-rows';
import type { FollowerPosition } from './walk';

/** How long, in milliseconds, the parts of a logged batch may take to come: nodes take up each other's every minute. */
const MAX_BATCH_DELAY_MS = 5 * 60_000;

/** After how many followers the place is written down. */
const CHECKPOINT_EVERY_ROWS = 5000;

/** Puts a new tweet into the timelines of its author's followers; goes on where another left off. */
export async function fanOut(
  writeContext: WriteContext,
  tweetId: string,
  { createdAt, progress, checkpoint }: Parameters<Handler>[1],
): Promise<void> {
  const load = createLoad(writeContext.database);
  const tweet = await load(tweets.get, { tweetId });
  if (tweet === null) {
    if (await load(deletedTweets.get, { tweetId })) return;
    // The rest of the logged batch that this task came with may still be on its way.
    if (Date.now() - Number(createdAt) > MAX_BATCH_DELAY_MS) return;
    throw new Error(`tweet ${tweetId} is not stored yet`);
  }
  // Read after the tweet is stored: a change to pushing that begins later finds the tweet by itself.
  const mode = await modeOf(writeContext, tweet.authorId);
  const place = timelineInserterOf(tweet, writeContext.retentionMonths);
  let told = 0;
  const bulk = writeContext.bulk();
  for await (const page of pushedFollowersOf(writeContext, tweet.authorId, mode, placeIn(progress))) {
    for (const row of page) if (!(await place(bulk, readerOf(row)))) return;
    told += page.length;
    const last = page.at(-1);
    if (told < CHECKPOINT_EVERY_ROWS || last === undefined) continue;
    told = 0;
    await bulk.flush();
    await checkpoint(JSON.stringify([last.bucket, last.followedAt.getTime(), last.followerId]));
  }
  await bulk.flush();
  await adjustMode(writeContext, tweet.authorId);
}

function placeIn(progress: string | null): FollowerPosition | null {
  if (progress === null) return null;
  const [bucket, followedAt, followerId] = JSON.parse(progress) as [number, number, string];
  return { bucket, followedAt: new Date(followedAt), followerId };
}
