import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { forbidden } from '../../kit/base/errors';
import { createLoad, readMany } from '../../kit/reads/load';
import { longTask, type DeclaredHandler, type Payload, type TaskRun } from '../../kit/work/handler';
import { bucketAssignerOf } from '../../kit/lists/bucket-assigner';
import { putAll } from '../../kit/writes/row-writer';
import { TALLY_SHARDS, tallies } from '../../kit/work/tally';
import { nodeNotFound } from '../../kit/graphql/global-id';
import { partitionRemovalOf, removalOf, writeOf } from '../../kit/cassandra/write';
import { tweetTopic } from '../../features/live/topics';
import { eraseFromTimeline, timelineReader } from '../timeline/timeline-rows';
import { eraseAfterPulling } from '../timeline/erase';
import { readMode } from '../timeline/fan-out-mode';
import { readFollowers } from '../timeline/author-pages';
import { tweetCountWrites, tweetsChange } from '../user/user-counts';
import { users } from '../../features/user/user.table';
import type { WriteServices } from '../write-services';
import { countInTime } from './count-in-time';
import { finalTime } from '../final-time';
import { afterOtherClocks } from '../../kit/base/after-other-clocks';
import { endGroupsOf } from '../notification/end-groups';
import { notifyOfShare } from '../notification/acts';
import { takeBackTweet } from '../notification/notify-tweet';
import { buildIndexRemovals } from './index-rows';
import { buildThreadEntry } from './thread-entries';
import { keepInvalidating } from './invalidate-tweet';
import { removeLikes, LIKES_AT_ONCE } from './remove-likes';
import { buildTopTweetRemovals, magnitudesIn } from './top-rows';
import { buildDeletedRows, removeRecordWrite, buildTweetRemovals } from './tweet-rows';
import { refreshTweetCounts } from './tweet-counts';
import { quotesByTweet, repliesByTweet, sharedTweets, sharesByTweet } from '../../features/tweet/tweet.lists';
import { deletedTweets, rawTweets, tweetCounts, tweets } from '../../features/tweet/tweet.table';
import { listPages } from '../../kit/lists/list-pages';
import { removalsFrom } from '../../kit/lists/source';
import {
  decodeBoundary,
  encodeBoundary,
  checkpointAt,
  cutIntoChunks,
  pagesUpTo,
  type Boundary,
} from '../list-chunks';

/** The time at which a deleted tweet leaves its tallies: no later change can bring it back. */
const END_OF_TIME = new Date('9999-01-01');

/** How many shares a page has, and a chunk. */
const SHARES_PER_PAGE = 100;
const SHARES_PER_CHUNK = 200;
/** A task removes this many shares itself. If there are more, it splits. */
const SHARES_AT_ONCE = 1000;
/** About how many rows the deletion of a share reads and writes, besides those of timelines. */
const ROWS_PER_SHARE = 20;
/** The most rows of shares and likes that the task of a deletion reads and writes itself. */
const ROWS_AT_ONCE = SHARES_AT_ONCE * ROWS_PER_SHARE + LIKES_AT_ONCE;

/**
 * Deletes a tweet of an author. It is in no list or timeline when this resolves; its shares and likes are removed in the
 * background. Resolves to whether it was there: deleting again succeeds. Throws `NOT_FOUND` for a tweet that never existed, `FORBIDDEN`
 * for another author's.
 */
export async function deleteTweet(
  writeServices: WriteServices,
  authorId: string,
  tweetId: string,
): Promise<boolean> {
  const load = createLoad(writeServices.database);
  // One after the other: a concurrent deletion removes one and stores the other at once.
  const tweet = await load(tweets.get, { tweetId });
  const stored = tweet ?? (await load(deletedTweets.get, { tweetId }));
  const owner = stored?.authorId;
  if (owner == null) throw nodeNotFound('Tweet', tweetId);
  if (owner !== authorId) throw forbidden('Only its author can delete a tweet.');
  await ensureDeleted(writeServices, tweetId);
  return tweet !== null;
}

/**
 * Deletes a tweet without checking its author, or does what an earlier deletion of it may have left to its task, which may be taken
 * up only later. Does nothing if there never was such a tweet.
 */
export async function ensureDeleted(writeServices: WriteServices, tweetId: string): Promise<void> {
  const { database } = writeServices;
  // A concurrent deletion removes both rows at once. So if the tweet is still there, its raw record was not removed before.
  const raw = await createLoad(database)(rawTweets.get, { tweetId });
  const tweet = await createLoad(database)(tweets.get, { tweetId });
  if (tweet) {
    await deleteByRecord(writeServices, { ...tweet, imported: raw !== null });
    return;
  }
  const deleted = await createLoad(database)(deletedTweets.get, { tweetId });
  // If the account was deleted, nothing is left to do for its tweets.
  if (deleted?.authorId == null) return;
  const record = { ...deleted, authorId: deleted.authorId };
  // The batch of the removal may have been applied in part, and unsharing again answers with what is shared.
  await writeAll(writeServices, removalsFrom([sharedTweets], record, finalTime(record.createdAt)));
  await removeFromCountsAndTimelines(writeServices, record);
}

function ofAuthor({ authorId }: Payload): string | undefined {
  return authorId;
}

/** How much work a deletion is. Timelines are not counted: an author is pushed to a limited number of them. */
const work = { rows: ROWS_AT_ONCE, person: ofAuthor };

/** The record of a deleted tweet. */
type Deleted = Row<typeof deletedTweets> & { readonly authorId: string };

/** Deletes a tweet given by its record in `deleted_tweets`, which need not be stored yet. Its own row need not exist. */
export async function deleteByRecord(writeServices: WriteServices, tweet: Deleted): Promise<void> {
  const { outbox } = writeServices;
  const prepared = await outbox.prepareTask('delete', encodeDeleted(tweet));
  let isEnqueued = false;
  // This goes on until the task is completed, here or by another server.
  const stopInvalidating = await invalidateUnlessHidden(
    writeServices,
    tweet,
    async () => !isEnqueued || outbox.isStored(prepared.task),
  );
  try {
    await outbox.enqueue(prepared);
    isEnqueued = true;
    await removeVisibleRows(writeServices, tweet);
  } catch (error) {
    // Each run of the task invalidates the tweet itself; between two runs, this goes on if the task is stored after all.
    isEnqueued = true;
    outbox.runInBackground(prepared.task);
    throw error;
  }
  outbox.runInBackground(
    prepared.task,
    longTask(work, async (_, task) => {
      await removeSharesLikesAndCounts(writeServices, tweet, task);
      stopInvalidating();
    }),
  );
}

/** Leaves the deletion of a tweet to a task. Its own row need not exist. */
export function deleteLater({ outbox }: WriteServices, tweet: Deleted): Promise<void> {
  return outbox.leaveToTask('delete', encodeDeleted(tweet));
}

/** Invalidates a deleted tweet, unless it is a share whose original was deleted: the invalidation of the original hides its shares. */
async function invalidateUnlessHidden(
  writeServices: WriteServices,
  { tweetId, sharedTweetId }: Deleted,
  isNeeded?: () => Promise<boolean>,
): Promise<() => void> {
  const load = createLoad(writeServices.database);
  const isHidden =
    sharedTweetId !== null && (await load(deletedTweets.get, { tweetId: sharedTweetId })) !== null;
  return isHidden ? () => undefined : keepInvalidating(writeServices, tweetId, isNeeded);
}

/** Removes the rows that show a tweet: its own, those of lists and indexes, its share of counts, and those of timelines. */
async function removeVisibleRows(writeServices: WriteServices, tweet: Deleted): Promise<void> {
  const { query, params } = writeOf(deletedTweets, tweet);
  // The batch may fail and be applied in part. A later deletion that finds no tweet must find this record, or it would believe that nothing
  // is to be done.
  await Promise.all([writeServices.database.write(query, params), removeIndexRows(writeServices, tweet)]);
  const at = finalTime(tweet.createdAt);
  const writes = [
    ...buildDeletedRows(tweet),
    ...buildTweetRemovals(tweet, at),
    ...buildThreadEntry(tweet, { isGone: true }),
    removeRecordWrite(tweet, at),
  ];
  const assigner = bucketAssignerOf(writeServices.database);
  const assigned = await assigner.assignBuckets(writes);
  await writeServices.database.batch(assigned, { logged: true });
  assigner.stored(assigned);
  writeServices.signals.publish([tweetTopic(tweet.tweetId)]);
  await removeFromCountsAndTimelines(writeServices, tweet);
}

/**
 * Removes the rows that index a tweet by its content. This comes before the tweet's own row, which says what they are. Search and
 * hashtags need no removal, because their entries only point to that row.
 */
async function removeIndexRows(writeServices: WriteServices, deleted: Deleted): Promise<void> {
  const read = () => createLoad(writeServices.database)(tweets.get, deleted);
  let tweet = await read();
  if (tweet === null) {
    // Its task may be storing it, and looks last whether it was deleted: so one of the two sees the other.
    await writeAll(writeServices, buildDeletedRows(deleted));
    tweet = await read();
  }
  if (tweet !== null) await writeAll(writeServices, buildIndexRemovals(tweet, finalTime(tweet.createdAt)));
}

/** Removes a deleted tweet from the counts of others and from timelines. */
async function removeFromCountsAndTimelines(writeServices: WriteServices, tweet: Deleted): Promise<void> {
  await removeFromCounts(writeServices, tweet);
  await removeFromTimelines(writeServices, tweet);
}

/** Runs a whole deletion, including its background part. */
export function deleteHandler(writeServices: WriteServices): DeclaredHandler {
  return longTask(work, async (payload, task) => {
    const tweet = decodeDeleted(payload);
    const stopInvalidating = await invalidateUnlessHidden(writeServices, tweet);
    try {
      if (!task.isSettled) await removeVisibleRows(writeServices, tweet);
      await removeSharesLikesAndCounts(writeServices, tweet, task);
    } finally {
      stopInvalidating();
    }
  });
}

/** Removes what is no longer shown once the tweet is gone: its shares, likes and counts. */
async function removeSharesLikesAndCounts(
  writeServices: WriteServices,
  tweet: Deleted,
  task: TaskRun,
): Promise<void> {
  const { tweetId } = tweet;
  const at = finalTime(tweet.createdAt);
  await removeShares(writeServices, tweet, task);
  await removeLikes(writeServices, tweet, at, task);
  await endGroupsOf(writeServices, tweet);
  await takeBackTweet(writeServices, tweet);
  if (tweet.sharedTweetId !== null) await notifyOfUnshare(writeServices, tweet.sharedTweetId, tweet.authorId);
  await eraseAfterPulling(writeServices, tweet, task);
  const isUser = (await createLoad(writeServices.database)(users.get, { userId: tweetId })) !== null;
  await writeAll(writeServices, [
    ...buildTopTweetRemovals(tweet, await magnitudesIn(writeServices.database, tweet), at),
    partitionRemovalOf(tweetCounts, { tweetId }),
    // An imported tweet can have the id of a user. Then the tallies are also those of the user, and stay.
    ...Array.from({ length: isUser ? 0 : TALLY_SHARDS }, (_, shard) =>
      partitionRemovalOf(tallies, { owner: tweetId, shard }, afterOtherClocks()),
    ),
  ]);
}

/** Takes back the notification of a share that was deleted, unless its author shares the original again. */
async function notifyOfUnshare(
  writeServices: WriteServices,
  originalId: string,
  userId: string,
): Promise<void> {
  const original = await createLoad(writeServices.database)(tweets.get, { tweetId: originalId });
  const membership = await writeServices.tally.membership(originalId, 'shares', userId);
  if (original && membership)
    await notifyOfShare(writeServices, original, userId, membership, { isRepeated: true });
}

function writeAll(writeServices: WriteServices, writes: readonly Write[]): Promise<void> {
  return putAll(writeServices.bulk(), writes);
}

async function removeFromCounts(writeServices: WriteServices, tweet: Deleted): Promise<void> {
  const { tweetId, authorId, inReplyToId, sharedTweetId, quotedTweetId, imported } = tweet;
  const gone = { member: tweetId, present: false, at: END_OF_TIME, unlessKnown: imported ?? false };
  const [{ ofShard }] = await Promise.all([
    writeServices.tally.change(tweetsChange({ owner: authorId, ...gone })),
    countInTime(writeServices, { ...tweet, language: tweet.language ?? null }, gone),
    inReplyToId !== null && writeServices.tally.change({ owner: inReplyToId, list: 'replies', ...gone }),
    quotedTweetId !== null && writeServices.tally.change({ owner: quotedTweetId, list: 'quotes', ...gone }),
    // The author may have shared it again, by another tweet, which `ifItem` leaves alone.
    sharedTweetId !== null &&
      writeServices.tally.change({
        owner: sharedTweetId,
        list: 'shares',
        member: authorId,
        present: false,
        ifItem: tweetId,
      }),
  ]);
  const targets = [inReplyToId, sharedTweetId, quotedTweetId].flatMap((owner) => owner ?? []);
  // Imports look for these rows: a tweet that is imported later shows what was counted before.
  if (inReplyToId !== null) await writeServices.database.write(repliesByTweet.recordUsed, [inReplyToId]);
  if (sharedTweetId !== null) await writeServices.database.write(sharesByTweet.recordUsed, [sharedTweetId]);
  if (quotedTweetId !== null) await writeServices.database.write(quotesByTweet.recordUsed, [quotedTweetId]);
  // The tweets are read last: one that is imported meanwhile is refreshed here or by the import. A missing tweet shows no counts.
  const existing = await readMany(
    writeServices.database,
    tweets.get,
    targets.map((id) => ({ tweetId: id })),
  );
  await Promise.all([
    writeAll(writeServices, tweetCountWrites(authorId, ofShard)),
    ...existing.flatMap((owner) => (owner ? refreshTweetCounts(writeServices, owner.tweetId) : [])),
  ]);
}

/**
 * Removes a tweet from all timelines that show it because it was pushed to them. Timelines that pull its author read the author's list:
 * what they have of it is erased in the background.
 */
async function removeFromTimelines(writeServices: WriteServices, tweet: Deleted): Promise<void> {
  if ((await readMode(writeServices, tweet.authorId)).mode === 'pull') return;
  const bulk = writeServices.bulk();
  for await (const page of readFollowers(writeServices, tweet.authorId))
    for (const row of page) await eraseFromTimeline(bulk, tweet, timelineReader(row));
  await bulk.flush();
}

function encodeDeleted(tweet: Deleted): Record<string, string> {
  const { tweetId, authorId, createdAt, imported, language } = tweet;
  const { inReplyToId, sharedTweetId, quotedTweetId, rootId } = tweet;
  return {
    tweetId,
    authorId,
    createdAt: createdAt.toISOString(),
    ...(inReplyToId !== null && { inReplyToId }),
    ...(sharedTweetId !== null && { sharedTweetId }),
    ...(quotedTweetId !== null && { quotedTweetId }),
    ...(imported && { imported: 'yes' }),
    ...(language != null && { language }),
    ...(rootId != null && { rootId }),
  };
}

function decodeDeleted(payload: Readonly<Record<string, string>>): Deleted {
  const { tweetId = '', authorId = '', createdAt = '', imported, language } = payload;
  const { inReplyToId, sharedTweetId, quotedTweetId, rootId } = payload;
  return {
    tweetId,
    authorId,
    createdAt: new Date(createdAt),
    inReplyToId: inReplyToId ?? null,
    sharedTweetId: sharedTweetId ?? null,
    quotedTweetId: quotedTweetId ?? null,
    imported: imported !== undefined,
    language: language ?? null,
    rootId: rootId ?? null,
  };
}

/** The shares of a tweet after a boundary, newest first, in pages. */
function readShares({ database }: WriteServices, tweetId: string, from: Boundary) {
  return listPages(
    database,
    (load) => sharesByTweet.list(load, tweetId),
    SHARES_PER_PAGE,
    from === '' ? null : { bucket: 0, key: [from] },
  );
}

const shareBoundary = ({ tweetId }: Pick<Row<typeof sharesByTweet>, 'tweetId'>) => encodeBoundary(tweetId);

/**
 * Removes the shares of a tweet, from the last checkpoint on. Each page begins where the one before ended, not at the head
 * of the list: there are the tombstones of removed shares, and Cassandra refuses a read that passes more than 100,000. A
 * share stored at a position already passed is removed by the sharing itself, which reads the original last.
 */
async function removeShares(
  writeServices: WriteServices,
  { tweetId, authorId }: Deleted,
  task: TaskRun,
): Promise<void> {
  let from = decodeBoundary(task.checkpoint);
  let removed = 0;
  if (!task.hasSplit) {
    for await (const page of readShares(writeServices, tweetId, from)) {
      for (const share of page) await removeShare(writeServices, tweetId, share.tweetId);
      from = shareBoundary(page.at(-1) ?? { tweetId: from });
      await task.saveCheckpoint(checkpointAt(from));
      if ((removed += page.length) >= SHARES_AT_ONCE) break;
    }
    if (removed < SHARES_AT_ONCE) return;
  }
  const cut = {
    kind: 'unshare',
    payload: { tweetId, authorId },
    boundary: shareBoundary,
    size: SHARES_PER_CHUNK,
  };
  await task.split('unshare', (last) => {
    const start = last ?? from;
    return cutIntoChunks(readShares(writeServices, tweetId, start), start, cut);
  });
}

/** Removes a part of a deleted tweet's shares. */
export function unshareHandler(writeServices: WriteServices): DeclaredHandler {
  return longTask(
    { rows: SHARES_PER_CHUNK * ROWS_PER_SHARE, person: ofAuthor },
    async ({ tweetId = '', from = '', to = '' }, { checkpoint, saveCheckpoint }) => {
      const start = decodeBoundary(checkpoint) || from;
      for await (const page of pagesUpTo(readShares(writeServices, tweetId, start), to, shareBoundary)) {
        for (const share of page) await removeShare(writeServices, tweetId, share.tweetId);
        const last = page.at(-1);
        if (last) await saveCheckpoint(checkpointAt(shareBoundary(last)));
      }
    },
  );
}

async function removeShare(writeServices: WriteServices, tweetId: string, shareId: string): Promise<void> {
  const share = await createLoad(writeServices.database)(tweets.get, { tweetId: shareId });
  if (share) await ensureDeleted(writeServices, shareId);
  else
    await writeAll(writeServices, [removalOf(sharesByTweet, { sharedTweetId: tweetId, tweetId: shareId })]);
}
