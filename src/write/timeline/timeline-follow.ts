import { pulledByUser } from '../../follow/follow.table';
import { relationTo, timeOf, type Relation } from '../../follow/relation';
import { createLoad } from '../../kit/data/load';
import { removalOf, writeOf } from '../../kit/data/write';
import type { WriteContext } from '../write-context';
import { setMergedFlag, modeOf, pullingOf, pullRemovalOf } from './fan-out-mode';
import { removeFromTimeline, eraseFromTimeline, timelineInserterOf } from './timeline-rows';
import { monthsAgo } from '../../timeline/retention';
import { deletedOf, tweetsOf } from './author-pages';

/** How many of an author's newest tweets are in a new follower's timeline before the follow is answered. */
const TWEETS_AT_ONCE = 100;

/**
 * The version of the mode since which an author is pulled, for a user who is about to follow the author and has none of the
 * author's tweets in the timeline; null if the author is pushed or there may be such tweets. This is read before the
 * follower is in the author's list. Fan-out reads that list, and checks before and after that the author is not pulled. So
 * while the author stays pulled in this version, no tweet is pushed to the follower, however late.
 */
export async function pulledSince(
  writeContext: WriteContext,
  follower: string,
  author: string,
): Promise<number | null> {
  // An unfollow leaves a row in `pulled_by_user` until all of its tombstones are written.
  const row = await createLoad(writeContext.database)(pulledByUser.get, {
    userId: follower,
    authorId: author,
  });
  const { mode, version } = await modeOf(writeContext, author);
  return row === null && mode === 'pull' ? version : null;
}

/**
 * Adds an author's tweets to a new follower's timeline: the newest hundred, or all of them. A pulled author is
 * recorded instead. Resolves to whether there may be more tweets. The follower is in the author's list already, so tweets that the
 * author posts from now on are pushed.
 */
export async function addAuthorToTimeline(
  writeContext: WriteContext,
  follower: string,
  author: string,
  relation: Relation,
  which: 'newest' | 'all',
  pulledVersion: number | null = null,
): Promise<boolean> {
  const mode = await modeOf(writeContext, author);
  const bulk = writeContext.bulk();
  const since = monthsAgo(writeContext.retentionMonths);
  const reader = { ...relation, userId: follower };
  const row = await createLoad(writeContext.database)(pulledByUser.get, {
    userId: follower,
    authorId: author,
  });
  if (row?.pulled === false) {
    // Tweets that were pushed before an unfollow are not all removed yet. Some of them may have been deleted since.
    for await (const page of deletedOf(writeContext, author, since))
      for (const tweet of page) await eraseFromTimeline(bulk, tweet, reader);
    await bulk.flush();
  }
  const merged = mode.mode === 'pull' || mode.mode === 'toPull';
  if (merged) {
    await setMergedFlag(writeContext.database, follower);
    await bulk.put(pullingOf(follower, author, relation, mode, pulledVersion));
  }
  // An earlier unfollow may have left a row in `pulled_by_user`.
  else if (relation.version > 1 || relation.imported)
    await bulk.put(pullRemovalOf(follower, author, relation));
  await bulk.flush();
  if (mode.mode === 'pull') return false;
  const size = which === 'newest' ? TWEETS_AT_ONCE : 1000;
  let inserted = 0;
  for await (const page of tweetsOf(writeContext, author, since, size)) {
    // If the user unfollows after this check, the unfollow removes what was read until then.
    const now = await relationTo(createLoad(writeContext.database), follower, author);
    if (now.version !== relation.version) return false;
    for (const tweet of page) {
      if (await timelineInserterOf(tweet, writeContext.retentionMonths)(bulk, reader)) inserted++;
      if (which === 'newest' && inserted === TWEETS_AT_ONCE) break;
    }
    await bulk.flush();
    if (which === 'newest' && inserted === TWEETS_AT_ONCE) return true;
  }
  return false;
}

/** Hides an author's tweets in the timeline of a user who has unfollowed the author, until they are removed. */
export async function hideInTimeline(
  writeContext: WriteContext,
  follower: string,
  author: string,
  relation: Relation,
): Promise<void> {
  await setMergedFlag(writeContext.database, follower);
  const row = { userId: follower, authorId: author, pulled: false };
  const { query, params } = writeOf(pulledByUser, row, { at: timeOf(relation) });
  await writeContext.database.write(query, params);
}

/** Removes an author's tweets from the timeline of a user who has unfollowed the author, then the row that hides them. */
export async function removeAuthorFromTimeline(
  writeContext: WriteContext,
  follower: string,
  author: string,
  relation: Relation,
): Promise<void> {
  if (!(await wasNeverPushed(writeContext, follower, author)))
    await removeTweets(writeContext, follower, author, relation);
  const { query, params } = removalOf(pulledByUser, { userId: follower, authorId: author }, timeOf(relation));
  await writeContext.database.write(query, params);
}

/**
 * Whether no tweet of an author was ever pushed to the timeline of a user who has unfollowed the author, and none can be.
 * That is so if the author was pulled when the follow began, and is still pulled in the same version now that the follower
 * is out of the author's list. Rows that cannot exist need no tombstones.
 */
async function wasNeverPushed(
  writeContext: WriteContext,
  follower: string,
  author: string,
): Promise<boolean> {
  const row = await createLoad(writeContext.database)(pulledByUser.get, {
    userId: follower,
    authorId: author,
  });
  const { mode, version } = await modeOf(writeContext, author);
  return mode === 'pull' && row?.sinceTurn === version;
}

/**
 * Removes all tweets of an author from a timeline. Writes a tombstone also for a tweet that has no row there, because the
 * row may still be on its way; it then has no effect.
 */
async function removeTweets(
  writeContext: WriteContext,
  follower: string,
  author: string,
  relation: Relation,
): Promise<void> {
  const since = monthsAgo(writeContext.retentionMonths);
  const reader = { ...relation, userId: follower };
  const bulk = writeContext.bulk();
  for await (const page of tweetsOf(writeContext, author, since))
    for (const tweet of page) await removeFromTimeline(bulk, tweet, reader);
  // Read last: a tweet that is deleted meanwhile is in one of the two lists.
  for await (const page of deletedOf(writeContext, author, since))
    for (const tweet of page) await removeFromTimeline(bulk, tweet, reader);
  await bulk.flush();
}
