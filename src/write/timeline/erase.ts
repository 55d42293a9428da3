import { longTask, type DeclaredHandler, type TaskRun } from '../../kit/work/handler';
import { timelinesByUser } from '../../features/timeline/timeline.lists';
import { MAX_ID } from '../../kit/base/ids';
import { collect } from '../../kit/lists/connection';
import { adjacentValue } from '../../kit/lists/cursor';
import { createLoad } from '../../kit/reads/load';
import { readFollowerCount } from '../user/user-counts';
import type { WriteServices } from '../write-services';
import {
  followerBoundary,
  followerChunks,
  followerPages,
  MAX_CHUNK_FOLLOWERS,
  rangeIn,
  readFollowers,
} from './author-pages';
import { readMode } from './fan-out-mode';
import { eraseFromTimeline, timelineReader, type TimelineTweet } from './timeline-rows';

/** How long, in milliseconds, a fan-out may go on after its author is pulled, and how much clocks may differ. */
const MAX_LATER_MS = 3_600_000;

/** How many timelines are looked at to find out whether a tweet was pushed. */
const SAMPLE_FOLLOWERS = 50;

/**
 * Erases a deleted tweet of a pulled author from the timelines to which it was pushed before the author was pulled. Nobody is shown it
 * there, but its text must go. Only users who followed the author then can have it.
 */
export async function eraseAfterPulling(
  writeServices: WriteServices,
  { tweetId, authorId, createdAt }: TimelineTweet,
  task: TaskRun,
): Promise<void> {
  const { mode, pulledAt } = await readMode(writeServices, authorId);
  if (mode !== 'pull' || pulledAt === null) return;
  const until = new Date(Number(pulledAt) + MAX_LATER_MS);
  if (createdAt > until || !(await wasPushed(writeServices, { tweetId, authorId }, pulledAt))) return;
  const followers = await readFollowerCount(writeServices.database, authorId);
  const payload = { tweetId, authorId, createdAt: createdAt.toISOString() };
  const first = followerBoundary({ followedAt: until, followerId: MAX_ID });
  await task.split('erase', (from) =>
    followerChunks(writeServices, authorId, from ?? first, { kind: 'erase', payload, followers }, task),
  );
}

/**
 * Whether a tweet was pushed before its author was pulled, as the timelines of the last followers of that time tell. Imports pull an author
 * without pushing: then nobody has the tweet, and millions of followers need no tombstone.
 */
async function wasPushed(
  writeServices: WriteServices,
  { tweetId, authorId }: Pick<TimelineTweet, 'tweetId' | 'authorId'>,
  pulledAt: Date,
): Promise<boolean> {
  const { database } = writeServices;
  const from = { followedAt: pulledAt, followerId: MAX_ID };
  for await (const page of readFollowers(writeServices, authorId, from)) {
    const load = createLoad(database);
    const first = { bucket: 0, key: [adjacentValue(tweetId, 1)] };
    const found = await Promise.all(
      page
        .slice(0, SAMPLE_FOLLOWERS)
        .map(({ followerId }) =>
          collect(timelinesByUser.list(load, followerId), { limit: 0, backwards: false, from: first }),
        ),
    );
    return found.some(({ rows: [next] }) => next?.row.tweetId === tweetId);
  }
  return false;
}

/** Erases a deleted tweet from the timelines of some followers. */
export function eraseChunk(writeServices: WriteServices): DeclaredHandler {
  const work = { rows: MAX_CHUNK_FOLLOWERS, person: ({ authorId }: { authorId?: string }) => authorId };
  return longTask(work, async ({ tweetId = '', authorId = '', createdAt = '', ...payload }) => {
    const tweet = { tweetId, authorId, createdAt: new Date(createdAt) };
    const bulk = writeServices.bulk();
    for await (const page of followerPages(writeServices, authorId, rangeIn(payload)))
      for (const row of page) await eraseFromTimeline(bulk, tweet, timelineReader(row));
    await bulk.flush();
  });
}
