import { pulledByUser } from '../../features/follow/follow.table';
import { relationTo, writeTimeOfVersion, type Relation } from '../../features/follow/relation';
import { createLoad } from '../../kit/reads/load';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import {
  createResumableWalk,
  FROM_THE_BEGINNING,
  type ResumableWalk,
  type Resumable,
} from '../resumable-walk';
import type { WriteServices } from '../write-services';
import { setMergedFlag, readMode, pullingOf, pullRemovalWrite, type Mode } from './fan-out-mode';
import {
  removeFromTimeline,
  eraseFromTimeline,
  createTimelineInserter,
  type TimelineTweet,
} from './timeline-rows';
import { monthsAgo } from '../../features/timeline/retention';
import { readDeletedBy, readTweetsBy } from './author-pages';

/** How many of an author's newest tweets are in a new follower's timeline before the follow is answered. */
const TWEETS_AT_ONCE = 100;
/** How many tweets there are between two checkpoints of a follow or unfollow. */
export const TWEETS_PER_CHECKPOINT = 1000;

/** The lists that a follow goes through: the tweets that were deleted during an unfollow, and all others. */
const FOLLOW_LISTS = ['erased', 'tweets'];

/**
 * Returns the version of the mode since which an author is pulled, for a user who is about to follow the author and has none of the
 * author's tweets in the timeline; null if the author is pushed or there may be such tweets. This is read before the follower is in the
 * author's list. Fan-out reads that list, and checks before and after that the author is not pulled. So while the author stays pulled in
 * this version, no tweet is pushed to the follower, however late.
 */
export async function pulledSince(
  writeServices: WriteServices,
  follower: string,
  author: string,
): Promise<number | null> {
  // An unfollow leaves a row in `pulled_by_user` until all of its tombstones are written.
  const row = await createLoad(writeServices.database)(pulledByUser.get, {
    userId: follower,
    authorId: author,
  });
  const { mode, version } = await readMode(writeServices, author);
  return row === null && mode === 'pull' ? version : null;
}

/**
 * Adds an author's newest hundred tweets to a new follower's timeline. A pulled author is recorded instead. Resolves to whether
 * there may be more tweets to add. The follower is in the author's list already, so tweets that the author posts from now on are
 * pushed.
 */
export async function addNewestToTimeline(
  writeServices: WriteServices,
  follower: string,
  author: string,
  relation: Relation,
  pulledVersion: number | null = null,
): Promise<boolean> {
  const reader = { ...relation, userId: follower };
  const walk = createResumableWalk(FROM_THE_BEGINNING, relation.version, FOLLOW_LISTS);
  if ((await beginFollow(writeServices, reader, author, pulledVersion, walk)) === 'pull') return false;
  const bulk = writeServices.bulk();
  const since = monthsAgo(writeServices.retentionMonths);
  let inserted = 0;
  for await (const page of readTweetsBy(writeServices, author, since, { size: TWEETS_AT_ONCE })) {
    if (!(await isCurrent(writeServices, reader, author))) return false;
    for (const tweet of page) {
      if (await createTimelineInserter(tweet, writeServices.retentionMonths)(bulk, reader)) inserted++;
      if (inserted === TWEETS_AT_ONCE) break;
    }
    await bulk.flush();
    if (inserted === TWEETS_AT_ONCE) return true;
  }
  return false;
}

/**
 * Adds all of an author's tweets to a new follower's timeline, from the last checkpoint on. Ends when the follower unfollows the
 * author, or the author is pulled.
 */
export async function addAllToTimeline(
  writeServices: WriteServices,
  follower: string,
  author: string,
  relation: Relation,
  task: Resumable,
): Promise<void> {
  const reader = { ...relation, userId: follower };
  const walk = createResumableWalk(task, relation.version, FOLLOW_LISTS);
  if ((await beginFollow(writeServices, reader, author, null, walk)) === 'pull') return;
  const since = monthsAgo(writeServices.retentionMonths);
  const size = TWEETS_PER_CHECKPOINT;
  await walk.through(
    'tweets',
    (after) => readTweetsBy(writeServices, author, since, { size, after }),
    ({ tweetId }) => tweetId,
    async (page) => {
      // If the user unfollows after this check, the unfollow removes what was read until then.
      if (!(await isCurrent(writeServices, reader, author))) return false;
      // A change back to push writes all tweets to all followers.
      if ((await readMode(writeServices, author)).mode === 'pull') return false;
      const bulk = writeServices.bulk();
      for (const tweet of page)
        await createTimelineInserter(tweet, writeServices.retentionMonths)(bulk, reader);
      await bulk.flush();
      return true;
    },
  );
}

/** A user whose relation to an author is applied to the timeline. */
type Follower = Relation & { readonly userId: string };

/** Whether a relation is still the last one. */
async function isCurrent(
  { database }: WriteServices,
  { userId, version }: Follower,
  author: string,
): Promise<boolean> {
  return (await relationTo(createLoad(database), userId, author)).version === version;
}

/**
 * Prepares a timeline for the tweets of an author who is followed now: removes what hides them after an unfollow, and records an
 * author who is pulled. Resolves to the author's mode.
 */
async function beginFollow(
  writeServices: WriteServices,
  reader: Follower,
  author: string,
  pulledVersion: number | null,
  walk: ResumableWalk,
): Promise<Mode['mode']> {
  const follower = reader.userId;
  const mode = await readMode(writeServices, author);
  const bulk = writeServices.bulk();
  const row = await createLoad(writeServices.database)(pulledByUser.get, {
    userId: follower,
    authorId: author,
  });
  // Tweets that were pushed before an unfollow are not all removed yet. Some of them may have been deleted since.
  if (row?.pulled === false)
    await walk.through(
      'erased',
      (after) => readDeletedBy(writeServices, author, monthsAgo(writeServices.retentionMonths), { after }),
      ({ tweetId }) => tweetId,
      async (page) => {
        for (const tweet of page) await eraseFromTimeline(bulk, tweet, reader);
        await bulk.flush();
        return true;
      },
    );
  const merged = mode.mode === 'pull' || mode.mode === 'toPull';
  if (merged) {
    await setMergedFlag(writeServices.database, follower);
    await bulk.put(pullingOf(follower, author, reader, mode, pulledVersion));
  }
  // An earlier unfollow may have left a row in `pulled_by_user`.
  else if (reader.version > 1 || reader.imported) await bulk.put(pullRemovalWrite(follower, author, reader));
  await bulk.flush();
  return mode.mode;
}

/** Hides an author's tweets in the timeline of a user who has unfollowed the author, until they are removed. */
export async function hideInTimeline(
  writeServices: WriteServices,
  follower: string,
  author: string,
  relation: Relation,
): Promise<void> {
  await setMergedFlag(writeServices.database, follower);
  const row = { userId: follower, authorId: author, pulled: false };
  const { query, params } = writeOf(pulledByUser, row, { at: writeTimeOfVersion(relation) });
  await writeServices.database.write(query, params);
}

/**
 * Removes an author's tweets from the timeline of a user who has unfollowed the author, from the last checkpoint on, then the row
 * that hides them. Ends when the user follows the author again: a later unfollow removes what is left.
 */
export async function removeAuthorFromTimeline(
  writeServices: WriteServices,
  follower: string,
  author: string,
  relation: Relation,
  task: Resumable,
): Promise<void> {
  if (!(await wasNeverPushed(writeServices, follower, author)))
    if (!(await removeTweets(writeServices, { ...relation, userId: follower }, author, task))) return;
  const { query, params } = removalOf(
    pulledByUser,
    { userId: follower, authorId: author },
    writeTimeOfVersion(relation),
  );
  await writeServices.database.write(query, params);
}

/**
 * Whether no tweet of an author was ever pushed to the timeline of a user who has unfollowed the author, and none can be.
 * That is so if the author was pulled when the follow began, and is still pulled in the same version now that the follower
 * is out of the author's list. Rows that cannot exist need no tombstones.
 */
async function wasNeverPushed(
  writeServices: WriteServices,
  follower: string,
  author: string,
): Promise<boolean> {
  const row = await createLoad(writeServices.database)(pulledByUser.get, {
    userId: follower,
    authorId: author,
  });
  const { mode, version } = await readMode(writeServices, author);
  return mode === 'pull' && row?.sinceVersion === version;
}

/**
 * Removes all tweets of an author from a timeline. Writes a tombstone also for a tweet that has no row there, because the
 * row may still be on its way; it then has no effect. Resolves to false if the user has followed the author again meanwhile.
 */
async function removeTweets(
  writeServices: WriteServices,
  reader: Follower,
  author: string,
  task: Resumable,
): Promise<boolean> {
  const since = monthsAgo(writeServices.retentionMonths);
  const size = TWEETS_PER_CHECKPOINT;
  const walk = createResumableWalk(task, reader.version, ['tweets', 'deleted']);
  const idOf = ({ tweetId }: { readonly tweetId: string }) => tweetId;
  const remove = async (page: readonly TimelineTweet[]) => {
    if (!(await isCurrent(writeServices, reader, author))) return false;
    const bulk = writeServices.bulk();
    for (const tweet of page) await removeFromTimeline(bulk, tweet, reader);
    await bulk.flush();
    return true;
  };
  const listed = (after: string) => readTweetsBy(writeServices, author, since, { size, after });
  const deleted = (after: string) => readDeletedBy(writeServices, author, since, { size, after });
  // The deleted ones are read last: a tweet that is deleted meanwhile is in one of the two lists.
  return (
    (await walk.through('tweets', listed, idOf, remove)) && walk.through('deleted', deleted, idOf, remove)
  );
}
