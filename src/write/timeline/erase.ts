import { longTask, type DeclaredHandler, type TaskRun } from '../../kit/work/handler';
import { MAX_ID } from '../../kit/base/ids';
import { readFollowerCount } from '../user/user-counts';
import type { WriteServices } from '../write-services';
import {
  followerBoundary,
  followerChunks,
  followerPages,
  MOST_CHUNK_FOLLOWERS,
  rangeIn,
} from './author-pages';
import { readMode } from './fan-out-mode';
import { eraseFromTimeline, timelineReader, type TimelineTweet } from './timeline-rows';

/** For how long, in milliseconds, a fan-out may go on after its author is pulled, and by how much clocks may differ. */
const MAX_LATER_MS = 3_600_000;

/**
 * Erases a deleted tweet of a pulled author from the timelines to which it was pushed before the author was pulled. Nobody is shown it
 * there, but its text must go. Only those who followed the author then can have it.
 */
export async function eraseAfterPulling(
  writeServices: WriteServices,
  { tweetId, authorId, createdAt }: TimelineTweet,
  task: TaskRun,
): Promise<void> {
  const { mode, pulledAt } = await readMode(writeServices, authorId);
  const until = pulledAt === null ? null : new Date(Number(pulledAt) + MAX_LATER_MS);
  if (mode !== 'pull' || (until !== null && createdAt > until)) return;
  const followers = await readFollowerCount(writeServices.database, authorId);
  const payload = { tweetId, authorId, createdAt: createdAt.toISOString() };
  const first = until && followerBoundary({ followedAt: until, followerId: MAX_ID });
  await task.split('erase', (from) =>
    followerChunks(writeServices, authorId, from ?? first, { kind: 'erase', payload, followers }, task),
  );
}

/** Erases a deleted tweet from the timelines of some followers. */
export function eraseChunk(writeServices: WriteServices): DeclaredHandler {
  const work = { rows: MOST_CHUNK_FOLLOWERS, person: ({ authorId }: { authorId?: string }) => authorId };
  return longTask(work, async ({ tweetId = '', authorId = '', createdAt = '', ...payload }) => {
    const tweet = { tweetId, authorId, createdAt: new Date(createdAt) };
    const bulk = writeServices.bulk();
    for await (const page of followerPages(writeServices, authorId, rangeIn(payload)))
      for (const row of page) await eraseFromTimeline(bulk, tweet, timelineReader(row));
    await bulk.flush();
  });
}
