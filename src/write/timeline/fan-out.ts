import { setTimeout as sleep } from 'node:timers/promises';
import type { followersByUser } from '../../features/follow/follow.lists';
import { timeOfId } from '../../kit/base/snowflake';
import type { Row } from '../../kit/cassandra/table';
import { createLoad } from '../../kit/reads/load';
import type { RowWriter } from '../../kit/writes/row-writer';
import { arrivalWrite, isLateArrival } from '../../kit/subscriptions/late-arrivals';
import { longTask, type DeclaredHandler, type Payload, type TaskRun } from '../../kit/work/handler';
import { lateTopic, timelineTopic } from '../../features/live/topics';
import { timelinesByUser } from '../../features/timeline/timeline.lists';
import { deletedTweets, tweets, type TweetRow } from '../../features/tweet/tweet.table';
import { followerCount, type userCounts } from '../../features/user/user.table';
import { readFollowerCount } from '../user/user-counts';
import { MAX_STORING_MS } from '../../features/tweet/new-tweet';
import { decodeBoundary, checkpointAt } from '../list-chunks';
import type { WriteServices } from '../write-services';
import { adjustMode, mayNeedChange, modeHandler } from './change-mode';
import { ALWAYS_PUSHED, beginShedding, readMode, readPushedFollowers, type Mode } from './fan-out-mode';
import { createTimelineInserter, timelineReader } from './timeline-rows';
import {
  ALL_FOLLOWERS,
  CHUNK_FOLLOWERS,
  MAX_CHUNK_FOLLOWERS,
  followerChunks,
  followerBoundary,
  followerPages,
  rangeIn,
  type FollowerRange,
} from './author-pages';

/** How many followers there are between two checkpoints. */
const CHECKPOINT_EVERY_ROWS = 5000;

/** Only authors with more followers than this part of the push limit are shed: pushing to fewer costs less than a change of mode. */
const SHED_RATIO = 0.2;
/** How long, in milliseconds, a fan-out waits for a change to pull, and how often it looks. */
const MAX_SHED_WAIT_MS = 60_000;
const SHED_LOOK_MS = 250;

/**
 * Writes a new tweet to the timelines of its author's followers, from the last checkpoint on, or in chunks. Throws while the
 * tweet may still be on its way, so that the task runs again. Resolves to whether there is such a tweet. `authorCounts` were read when it was
 * posted; null if they were not.
 */
export async function fanOut(
  writeServices: WriteServices,
  tweetId: string,
  task: TaskRun,
  authorCounts: Row<typeof userCounts> | null = null,
): Promise<boolean> {
  const tweet = await storedTweet(writeServices, tweetId, task);
  if (tweet === null) return false;
  const { authorId } = tweet;
  const followers = authorCounts
    ? followerCount(authorCounts)
    : await readFollowerCount(writeServices.database, authorId);
  const isLate = isLateArrival(timeOfId(tweetId));
  // The mode is read after the tweet is stored: if the author changes to push later, that change finds the tweet itself. For an author with
  // few followers it is enough to read the mode after the followers, because nearly all such authors are, and always were, pushed.
  const isSmall = followers <= writeServices.pushLimit * SHED_RATIO && !isLate && !task.hasSplit;
  const assumed = isSmall ? ALWAYS_PUSHED : await modeAfterShedding(writeServices, authorId, followers, task);
  const isForAll = assumed.mode !== 'pull' || isLate;
  let mode = assumed;
  if (task.hasSplit || (isForAll && followers > CHUNK_FOLLOWERS))
    await task.split('fan-out', (from) =>
      followerChunks(
        writeServices,
        authorId,
        from,
        { kind: 'fan-out', payload: { tweetId, authorId }, followers },
        task,
      ),
    );
  else if (isForAll)
    mode = await pushTweet(
      writeServices,
      tweet,
      assumed,
      { ...ALL_FOLLOWERS, from: decodeBoundary(task.checkpoint) },
      task,
    );
  if (mode === ALWAYS_PUSHED) mode = await readMode(writeServices, authorId);
  // A follow or unfollow during the fan-out adjusts the mode itself.
  if (mayNeedChange(mode, followers, writeServices.pushLimit)) await adjustMode(writeServices, authorId);
  return true;
}

/**
 * Writes a tweet to the timelines of a part of its author's followers. A chunk that waited for too long makes its author pulled,
 * and later chunks then have nothing to do.
 */
export function fanOutChunk(writeServices: WriteServices): DeclaredHandler {
  // A late tweet is two rows for each follower.
  const work = { rows: 2 * MAX_CHUNK_FOLLOWERS, person: ({ authorId }: Payload) => authorId };
  return longTask(work, async ({ tweetId = '', ...payload }, task) => {
    const tweet = await createLoad(writeServices.database)(tweets.get, { tweetId });
    if (tweet === null) return;
    const followers = await readFollowerCount(writeServices.database, tweet.authorId);
    const mode = await modeAfterShedding(writeServices, tweet.authorId, followers, task);
    const range = rangeIn(payload);
    const from = decodeBoundary(task.checkpoint) || range.from;
    await pushTweet(writeServices, tweet, mode, { ...range, from }, task);
  });
}

/** The tweet to push; null if it was deleted or will never come. */
async function storedTweet(
  { database }: WriteServices,
  tweetId: string,
  { createdAt }: TaskRun,
): Promise<TweetRow | null> {
  const load = createLoad(database);
  const tweet = await load(tweets.get, { tweetId });
  if (tweet !== null || (await load(deletedTweets.get, { tweetId }))) return tweet;
  // A single replica that is asked may not have it yet.
  if (Date.now() - Number(createdAt) > MAX_STORING_MS) return null;
  throw new Error(`tweet ${tweetId} is not stored yet`);
}

/** Pushes a tweet to a part of its author's followers. Resolves to the author's mode, as it was read last. */
async function pushTweet(
  writeServices: WriteServices,
  tweet: TweetRow,
  mode: Mode,
  range: FollowerRange,
  { saveCheckpoint }: Pick<TaskRun, 'saveCheckpoint'>,
): Promise<Mode> {
  let lastMode = mode;
  const insert = createTimelineInserter(tweet, writeServices.retentionMonths);
  const { tweetId, authorId } = tweet;
  // Followers who merge the author's list in are not told one by one that a tweet came late to it, unless it did.
  if (mode.mode === 'pull' && isLateArrival(timeOfId(tweetId)))
    for await (const page of followerPages(writeServices, authorId, range))
      await publishToFollowers(writeServices, writeServices.bulk(), page, tweetId);
  let pushedCount = 0;
  // The rows of a page are stored while the next one is read.
  let storing = Promise.resolve();
  const noteMode = (now: Mode) => void (lastMode = now);
  for await (const page of readPushedFollowers(writeServices, authorId, mode, range, noteMode)) {
    const bulk = writeServices.bulk();
    for (const row of page)
      if (!(await insert(bulk, timelineReader(row)))) {
        await storing;
        return lastMode;
      }
    await storing;
    storing = publishToFollowers(writeServices, bulk, page, tweetId);
    storing.catch(() => undefined);
    pushedCount += page.length;
    const last = page.at(-1);
    if (pushedCount < CHECKPOINT_EVERY_ROWS || last === undefined) continue;
    pushedCount = 0;
    await storing;
    await saveCheckpoint(checkpointAt(followerBoundary(last)));
  }
  await storing;
  return lastMode;
}

/**
 * Stores the rows of the timelines of some followers, and tells their subscriptions. Late tweets are recorded, because subscriptions only
 * read the newest part of their timelines again.
 */
async function publishToFollowers(
  { signals }: WriteServices,
  bulk: RowWriter,
  followers: readonly Row<typeof followersByUser>[],
  tweetId: string,
): Promise<void> {
  await bulk.flush();
  const readers = followers.map(({ followerId }) => followerId);
  const late = isLateArrival(timeOfId(tweetId));
  if (late) {
    for (const reader of readers) await bulk.put(arrivalWrite(timelinesByUser.name, reader, 'row', tweetId));
    await bulk.flush();
  }
  signals.publish(readers.map(late ? lateTopic : timelineTopic), tweetId);
}

/**
 * The mode of an author whose tweet is to be pushed. If the task has waited for too long and the author has many followers, the
 * author is pulled from now on: that costs as much as pushing one or two tweets, and nothing for those that wait behind it.
 */
async function modeAfterShedding(
  writeServices: WriteServices,
  authorId: string,
  followers: number,
  task: TaskRun,
): Promise<Mode> {
  const mode = await readMode(writeServices, authorId);
  const { shedding, pushLimit } = writeServices;
  if (mode.mode === 'toPull' && mode.isShed) return afterChange(writeServices, authorId, task);
  const waitedTooLong = shedding.afterMs > 0 && task.waitedMs > shedding.afterMs;
  if (!waitedTooLong || mode.mode !== 'push' || followers <= pushLimit * SHED_RATIO) return mode;
  shedding.count();
  await writeServices.outbox.enqueueAndRun(
    'mode',
    { authorId },
    () => beginShedding(writeServices, authorId),
    {
      rest: () => modeHandler(writeServices),
    },
  );
  return afterChange(writeServices, authorId, task);
}

/** The mode of an author after a change to pull, for which this waits. */
async function afterChange(writeServices: WriteServices, authorId: string, task: TaskRun): Promise<Mode> {
  let mode = await readMode(writeServices, authorId);
  const wait = async () => {
    const until = performance.now() + MAX_SHED_WAIT_MS;
    for (
      ;
      mode.mode === 'toPull' && performance.now() < until;
      mode = await readMode(writeServices, authorId)
    )
      await sleep(SHED_LOOK_MS, undefined, { signal: writeServices.outbox.stopping });
  };
  await task.waitOutside(wait());
  return mode;
}
