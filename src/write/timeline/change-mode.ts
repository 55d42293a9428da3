import {
  growingTask,
  longTask,
  type DeclaredHandler,
  type Handler,
  type Payload,
  type TaskRun,
} from '../../kit/work/handler';
import type { Task } from '../../kit/work/outbox.table';
import { removalOf } from '../../kit/cassandra/write';
import { pulledByUser } from '../../features/follow/follow.table';
import { monthsAgo } from '../../features/timeline/retention';
import { readFollowerCount } from '../user/user-counts';
import { createResumableWalk, FROM_THE_BEGINNING, type Resumable } from '../resumable-walk';
import type { WriteServices } from '../write-services';
import {
  ALL_FOLLOWERS,
  CHUNK_FOLLOWERS,
  readDeletedBy,
  followerChunks,
  followerPages,
  MAX_CHUNK_FOLLOWERS,
  rangeIn,
  readTweetsBy,
  type FollowerRange,
} from './author-pages';
import {
  beginMode,
  changeMode,
  readMode,
  pullingOf,
  pullTime,
  readPushedFollowers,
  chooseTarget,
  mergedFlagWrite,
  type Mode,
  type Pushing,
} from './fan-out-mode';
import {
  eraseFromTimeline,
  timelineReader,
  createTimelineInserter,
  type TimelineTweet,
} from './timeline-rows';

/** How old, in milliseconds, the known list of pending tasks may be. */
const MAX_PENDING_AGE_MS = 10_000;

/**
 * Changes an author's mode in the background, if the number of followers requires it. Also completes a change that has no
 * task, which an import leaves when it is killed.
 */
export async function adjustMode(writeServices: WriteServices, authorId: string): Promise<void> {
  const followers = await readFollowerCount(writeServices.database, authorId);
  const now = await readMode(writeServices, authorId);
  if (!mayNeedChange(now, followers, writeServices.pushLimit)) return;
  if (isChanging(now) && (await hasTask(writeServices, authorId))) return;
  await writeServices.outbox.enqueueAndRun(
    'mode',
    { authorId },
    () => beginMode(writeServices, authorId, followers),
    { rest: () => modeHandler(writeServices) },
  );
}

/** Whether `adjustMode` may have something to do. */
export function mayNeedChange(mode: Mode, followers: number, pushLimit: number): boolean {
  return isChanging(mode) || chooseTarget(mode, followers, pushLimit) !== null;
}

function isChanging({ mode }: Mode): boolean {
  return mode === 'toPull' || mode === 'toPush';
}

/** Whether the outbox has a task that changes an author's mode, of any server. */
async function hasTask({ outbox }: WriteServices, authorId: string): Promise<boolean> {
  const isOfAuthor = ({ payload }: Task) => payload === JSON.stringify({ authorId });
  // While a change goes on, the list that was read a moment ago usually has its task.
  return (
    (await outbox.pendingOf(['mode'], MAX_PENDING_AGE_MS)).some(isOfAuthor) ||
    (await outbox.pendingOf(['mode'])).some(isOfAuthor)
  );
}

const ofAuthor = ({ authorId }: Payload) => authorId;

/** Completes a change of mode, then begins another one if that has become due. */
export function modeHandler(writeServices: WriteServices): DeclaredHandler {
  return longTask({ rows: 2 * CHUNK_FOLLOWERS, person: ofAuthor }, async ({ authorId = '' }, task) => {
    await finishMode(writeServices, authorId, inChunks(writeServices, authorId, task));
    await adjustMode(writeServices, authorId);
  });
}

/** Does a stage of a change of mode for all followers. */
type ForAll = (
  stage: keyof typeof stages,
  mode: Mode,
  work: (range: FollowerRange) => Promise<void>,
) => Promise<void>;

const inOneGo: ForAll = (_stage, _mode, work) => work(ALL_FOLLOWERS);

/** Cuts each stage into chunks if the author has many followers, or the stage writes many tweets to each. */
function inChunks(writeServices: WriteServices, authorId: string, task: TaskRun): ForAll {
  return async (stage, { version }, work) => {
    const followers = await readFollowerCount(writeServices.database, authorId);
    const isGrowing = stage === 'push';
    if (!task.hasSplit && !isGrowing && followers <= CHUNK_FOLLOWERS) return work(ALL_FOLLOWERS);
    const chunk = { kind: stage, payload: { authorId, version: String(version) }, followers };
    // A growing chunk writes a multiple of its followers between two checkpoints.
    const helpers = isGrowing ? 1 : task.helpers;
    await task.split(`${stage} ${version}`, (from) =>
      followerChunks(writeServices, authorId, from, chunk, { helpers }),
    );
  };
}

/** Completes a change of mode; does nothing if none has begun. */
export async function finishMode(
  pushing: Pushing,
  authorId: string,
  forAll: ForAll = inOneGo,
): Promise<void> {
  const now = await readMode(pushing, authorId);
  const isUnchanged = ({ mode, version }: Mode) => mode === now.mode && version === now.version;
  const run = (stage: keyof typeof stages) =>
    forAll(stage, now, (range) => stages[stage](pushing, authorId, now, range, FROM_THE_BEGINNING));
  if (now.mode === 'toPull') {
    await run('pull');
    await changeMode(pushing, authorId, (mode) => (isUnchanged(mode) ? 'pull' : null));
  } else if (now.mode === 'toPush') {
    await run('push');
    await run('unpull');
    await changeMode(pushing, authorId, (mode) => (isUnchanged(mode) ? 'push' : null));
  }
}

/** The stages of changes of mode, by the kind of their chunks. */
const stages = { pull: startPulling, push: pushAll, unpull: stopPulling };

/** How many tweets of an author a chunk writes to its followers between two checkpoints. */
const TWEETS_PER_CHECKPOINT = 50;

/** Creates the handler of the chunks of a stage. A chunk of an earlier change does nothing. */
function stageHandler(stage: keyof typeof stages): (writeServices: WriteServices) => DeclaredHandler {
  return (writeServices) => {
    const run: Handler = async ({ authorId = '', version, ...payload }, task) => {
      const now = await readMode(writeServices, authorId);
      if (String(now.version) === version)
        await stages[stage](writeServices, authorId, now, rangeIn(payload), task);
    };
    return stage === 'push'
      ? growingTask({ rows: TWEETS_PER_CHECKPOINT * CHUNK_FOLLOWERS, person: ofAuthor }, run)
      : longTask({ rows: 2 * MAX_CHUNK_FOLLOWERS, person: ofAuthor }, run);
  };
}

/** The handlers of the chunks of a change of mode, by kind. */
export const modeChunks = {
  pull: stageHandler('pull'),
  push: stageHandler('push'),
  unpull: stageHandler('unpull'),
};

/** Records an author as pulled in the timelines of followers. */
export async function startPulling(
  pushing: Pushing,
  authorId: string,
  mode: Mode,
  range = ALL_FOLLOWERS,
): Promise<void> {
  const bulk = pushing.bulk();
  for await (const page of followerPages(pushing, authorId, range)) {
    for (const { followerId } of page) await bulk.put(mergedFlagWrite(followerId));
    await bulk.flush();
    for (const { followerId, followedAt } of page)
      await bulk.put(pullingOf(followerId, authorId, { at: followedAt }, mode));
  }
  await bulk.flush();
}

async function stopPulling(
  pushing: Pushing,
  authorId: string,
  { version }: Mode,
  range: FollowerRange,
): Promise<void> {
  const bulk = pushing.bulk();
  for await (const page of followerPages(pushing, authorId, range)) {
    for (const { followerId, followedAt } of page)
      await bulk.put(
        removalOf(pulledByUser, { userId: followerId, authorId }, pullTime(followedAt, version)),
      );
  }
  await bulk.flush();
}

/**
 * Writes an author's tweets within the retention to the timelines of followers, and erases deleted tweets from them, from the last
 * checkpoint on.
 */
async function pushAll(
  pushing: Pushing,
  authorId: string,
  mode: Mode,
  range: FollowerRange,
  run: Resumable,
): Promise<void> {
  const since = monthsAgo(pushing.retentionMonths);
  const size = TWEETS_PER_CHECKPOINT;
  const walk = createResumableWalk(run, mode.version, ['tweets', 'deleted']);
  const idOf = ({ tweetId }: TimelineTweet) => tweetId;
  // Followers are read after the tweets, so an unfollow that comes later removes these tweets again.
  await walk.through(
    'tweets',
    (after) => readTweetsBy(pushing, authorId, since, { size, after }),
    idOf,
    async (tweets) => {
      const bulk = pushing.bulk();
      const inserters = tweets.map((tweet) => createTimelineInserter(tweet, pushing.retentionMonths));
      for await (const followers of readPushedFollowers(pushing, authorId, mode, range))
        for (const reader of followers.map(timelineReader))
          for (const insert of inserters) await insert(bulk, reader);
      await bulk.flush();
      return true;
    },
  );
  await walk.through(
    'deleted',
    (after) => readDeletedBy(pushing, authorId, since, { size, after }),
    idOf,
    async (deleted) => {
      const bulk = pushing.bulk();
      for await (const followers of followerPages(pushing, authorId, range))
        for (const reader of followers.map(timelineReader))
          for (const tweet of deleted) await eraseFromTimeline(bulk, tweet, reader);
      await bulk.flush();
      return true;
    },
  );
}
