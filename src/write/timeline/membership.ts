import { pulledByUser } from '../../follow/follow.table';
import { relationTo, timeOf, type Relation } from '../../follow/relation';
import { createLoad } from '../../kit/data/load';
import { monthOf } from '../../kit/data/buckets';
import { removalOf, writeOf } from '../../kit/data/write';
import type { WriteContext } from '../write-context';
import { modeOf, pullingOf, unmarkingOf } from './fan-out-mode';
import { removeFromTimeline, eraseFromTimeline, timelineInserterOf } from './timeline-rows';
import { monthsAgo } from '../../timeline/retention';
import { deletedOf, tweetsOf } from './walk';

/** How many of an author's tweets a new follower's timeline has before the following is answered. */
const TWEETS_AT_ONCE = 100;

/**
 * As of which turn an author is pulled, for somebody who is about to follow it and has nothing of it in the timeline; null
 * where it is not so. What is read here is read before the follower stands in the author's list. Whoever pushes tweets
 * reads that list and finds, before and after, that the author is not pulled: so while the author is pulled as of this
 * turn, nothing of it comes to the follower, however late.
 */
export async function pulledSince(
  writeContext: WriteContext,
  follower: string,
  author: string,
): Promise<number | null> {
  // An unfollowing whose tombstones are not all written has left its mark.
  const mark = await createLoad(writeContext.database)(pulledByUser.get, {
    userId: follower,
    authorId: author,
  });
  const { mode, version } = await modeOf(writeContext, author);
  return mark === null && mode === 'pull' ? version : null;
}

/**
 * Brings an author's tweets into a new follower's timeline: the newest hundred, or all of them. Resolves to whether there
 * may be more. The follower stands in the author's list already, so what the author posts from now on is pushed.
 */
export async function enterTimeline(
  writeContext: WriteContext,
  follower: string,
  author: string,
  relation: Relation,
  which: 'newest' | 'all',
  sinceTurn: number | null = null,
): Promise<boolean> {
  const mode = await modeOf(writeContext, author);
  const bulk = writeContext.bulk();
  const since = monthsAgo(writeContext.retentionMonths);
  const oldest = since === null ? 0 : monthOf(since);
  const reader = { ...relation, userId: follower };
  const mark = await createLoad(writeContext.database)(pulledByUser.get, {
    userId: follower,
    authorId: author,
  });
  if (mark?.pulled === false) {
    // What was pushed before an unfollowing is not out yet: of that there may be tweets that were deleted since.
    for await (const page of deletedOf(writeContext, author, oldest))
      for (const tweet of page) await eraseFromTimeline(bulk, tweet, reader);
    await bulk.flush();
  }
  const merged = mode.mode === 'pull' || mode.mode === 'toPull';
  if (merged) await bulk.put(pullingOf(follower, author, relation, mode, sinceTurn));
  // An earlier unfollowing may have left its mark.
  else if (relation.turn > 1 || relation.imported) await bulk.put(unmarkingOf(follower, author, relation));
  await bulk.flush();
  if (mode.mode === 'pull') return false;
  const size = which === 'newest' ? TWEETS_AT_ONCE : 1000;
  let entered = 0;
  for await (const page of tweetsOf(writeContext, author, oldest, size)) {
    // Who stops following later has its timeline cleaned of what was read until then.
    const now = await relationTo(createLoad(writeContext.database), follower, author);
    if (now.turn !== relation.turn) return false;
    for (const tweet of page) {
      if (await timelineInserterOf(tweet, writeContext.retentionMonths)(bulk, reader)) entered++;
      if (which === 'newest' && entered === TWEETS_AT_ONCE) break;
    }
    await bulk.flush();
    if (which === 'newest' && entered === TWEETS_AT_ONCE) return true;
  }
  return false;
}

/** Hides an author's tweets in the timeline of somebody who follows no more, until they are taken out. */
export async function hideInTimeline(
  writeContext: WriteContext,
  follower: string,
  author: string,
  relation: Relation,
): Promise<void> {
  const row = { userId: follower, authorId: author, pulled: false };
  const { query, params } = writeOf(pulledByUser, row, { at: timeOf(relation) });
  await writeContext.database.write(query, params);
}

/** Takes an author's tweets out of the timeline of somebody who follows no more, and then the mark that hides them. */
export async function leaveTimeline(
  writeContext: WriteContext,
  follower: string,
  author: string,
  relation: Relation,
): Promise<void> {
  if (!(await wasNeverPushed(writeContext, follower, author)))
    await displaceTweets(writeContext, follower, author, relation);
  const { query, params } = removalOf(pulledByUser, { userId: follower, authorId: author }, timeOf(relation));
  await writeContext.database.write(query, params);
}

/**
 * Whether nothing of an author ever came to the timeline of somebody who follows it no more, nor can come: it was pulled when
 * the following began, and is so in the same turn now that the follower is out of the author's list. A row that is not
 * there needs no tombstone.
 */
async function wasNeverPushed(
  writeContext: WriteContext,
  follower: string,
  author: string,
): Promise<boolean> {
  const mark = await createLoad(writeContext.database)(pulledByUser.get, {
    userId: follower,
    authorId: author,
  });
  const { mode, version } = await modeOf(writeContext, author);
  return mode === 'pull' && mark?.sinceTurn === version;
}

/**
 * Takes an author's tweets out of a timeline, also those that are not there: of some the row may be on its way, and comes
 * late and without effect.
 */
async function displaceTweets(
  writeContext: WriteContext,
  follower: string,
  author: string,
  relation: Relation,
): Promise<void> {
  const since = monthsAgo(writeContext.retentionMonths);
  const oldest = since === null ? 0 : monthOf(since);
  const reader = { ...relation, userId: follower };
  const bulk = writeContext.bulk();
  for await (const page of tweetsOf(writeContext, author, oldest))
    for (const tweet of page) await removeFromTimeline(bulk, tweet, reader);
  // Read last: what is deleted in between is in the one list or the other.
  for await (const page of deletedOf(writeContext, author, oldest))
    for (const tweet of page) await removeFromTimeline(bulk, tweet, reader);
  await bulk.flush();
}
