import { followersByUser, followingByUser } from '../../features/follow/follow.lists';
import { pulledByUser, relations } from '../../features/follow/follow.table';
import { joinPair } from '../../features/follow/relation';
import type { Database, Write } from '../../kit/cassandra/database';
import { removeList } from '../../kit/writes/remove-list';
import { magnitudeOf } from '../../kit/base/magnitude';
import { createLoad, readMany } from '../../kit/reads/load';
import { createTally, tallies } from '../../kit/work/tally';
import { partitionRemovalOf, removalOf, writeOf } from '../../kit/cassandra/write';
import { buildTrendRemovals } from '../../write/tweet/index-rows';
import { buildTopTweetRows } from '../../write/tweet/top-rows';
import { buildTopUserRemovals, refreshUserCounts, tweetsChange } from '../../write/user/user-counts';
import { followeesByName } from '../../features/user-search/user-search.table';
import { timelinesByUser } from '../../features/timeline/timeline.lists';
import { readFollowees, readFollowers, readTweetsBy } from '../../write/timeline/author-pages';
import { removeFromTimeline, type TimelineReader } from '../../write/timeline/timeline-rows';
import { engagementsByUser } from '../../features/tweet/engagement.table';
import { sharersByTweet, tweetsByAuthor } from '../../features/tweet/tweet.lists';
import { suspensions } from '../../features/moderation/moderation.table';
import { readSuspensions } from '../../features/moderation/suspensions';
import type { HiddenChange } from '../../kit/reads/hidden-history';
import { createSignals } from '../../kit/subscriptions/signals';
import { createBulkWriter } from '../../kit/writes/bulk';
import { factsOfPairs, factsOfTallies } from '../../write/notification/facts';
import { notifyOfPast, type Fact } from '../../write/notification/notify-group';
import { renameActor } from '../../write/notification/rename-actor';
import {
  countsOfRecord,
  likesIn,
  topTweetsByAuthor,
  tweetCounts,
  tweets,
} from '../../features/tweet/tweet.table';
import { userCounts, users, usersByTwitterAccount } from '../../features/user/user.table';
import { invalidateTweets } from '../../write/tweet/invalidate-tweet';
import { findActing, moveMutes, type MoveActs } from './acting-users';
import type { ImportedLinks } from './links';
import type { ImportedFollow, StoreFollows } from './follows';
import { makeShareRow, storeTweet } from './rows';
import type { TouchedUsers } from './touched';
import { putAll, type RowWriter } from '../../kit/writes/row-writer';

/** How many users are merged at a time. */
const MAX_USERS_AT_ONCE = 100;
/** How many pairs of users are read at a time. */
const PAIRS_AT_ONCE = 100;

/**
 * Merges users whose ids were derived from their names into the users with the ids that their profiles give; `mergedIds` maps the old id to
 * the new one. Old rows are removed only after the new ones are stored, so a crash in between leaves both, and merging again repairs it.
 * `moveActs` moves what they have done here. Marks every user whose lists change as touched. Resolves to how many relations of the former
 * were counted, as followers.
 */
export async function mergeUsers(
  database: Database,
  writer: RowWriter,
  storeFollows: StoreFollows,
  mergedIds: ReadonlyMap<string, string>,
  touched: TouchedUsers,
  links: ImportedLinks,
  moveActs: MoveActs,
): Promise<number> {
  const suspended = await carrySuspensions(database, mergedIds);
  await writer.flush();
  const merges = [...mergedIds];
  await moveMutes(database, writer, mergedIds);
  const counts = await readMany(
    database,
    userCounts.get,
    merges.map(([userId]) => ({ userId })),
  );
  const posting = new Set(counts.flatMap((row) => (row?.tweets == null ? [] : row.userId)));
  for (let n = 0; n < merges.length; n += MAX_USERS_AT_ONCE) {
    const chunk = merges.slice(n, n + MAX_USERS_AT_ONCE);
    const removals = await Promise.all(
      chunk.map(async ([from, to]) => {
        touched.forget(from);
        touched.add(to, 'tweets');
        const ownFollow = await mergeFollows(database, storeFollows, mergedIds, from, touched);
        await mergeTweets(database, writer, from, to, links);
        if (posting.has(from)) await countPostedHere(database, from, to);
        if (ownFollow !== null) await removeOwnTweets(database, writer, from, { userId: to, at: ownFollow });
        return () => clear(database, writer, from, to);
      }),
    );
    await writer.flush();
    const acting = await findActing(
      database,
      chunk.map(([from]) => from),
    );
    if (acting.size > 0) await moveActs(chunk.filter(([from]) => acting.has(from)));
    for (const remove of removals) await remove();
    await writer.flush();
  }
  await putAll(
    writer,
    suspended.map(({ from, at }) => suspensionWrite(from, false, at)),
  );
  return counts.reduce((total, row) => total + (row?.importedFollowing ?? 0), 0);
}

/**
 * Suspends the users who get the tweets of suspended users, before anybody sees these there. Resolves to the suspended users, with the
 * times at which the suspensions of the old ids can end: nobody has these ids any more.
 */
async function carrySuspensions(
  database: Database,
  mergedIds: ReadonlyMap<string, string>,
): Promise<{ readonly from: string; readonly at: Date }[]> {
  const last = new Map<string, HiddenChange>();
  for await (const change of readSuspensions(database)) last.set(change.userId, change);
  const timeAfter = (userId: string) => new Date(Math.max(Date.now(), Number(last.get(userId)?.at ?? 0) + 1));
  const suspended = [...mergedIds].filter(([from]) => last.get(from)?.isHidden === true);
  for (const [, to] of suspended) {
    if (last.get(to)?.isHidden === true) continue;
    const { query, params } = suspensionWrite(to, true, timeAfter(to));
    await database.write(query, params);
  }
  return suspended.map(([from]) => ({ from, at: timeAfter(from) }));
}

function suspensionWrite(userId: string, suspended: boolean, changedAt: Date): Write {
  return writeOf(suspensions, { shard: 0, changedAt, userId, suspended });
}

/** Moves the follows of a user. Resolves to when one of the two who are merged began to follow the other one; null if none did. */
async function mergeFollows(
  database: Database,
  storeFollows: StoreFollows,
  mergedIds: ReadonlyMap<string, string>,
  from: string,
  touched: TouchedUsers,
): Promise<Date | null> {
  let ownFollow: Date | null = null;
  const currentId = (userId: string) => mergedIds.get(userId) ?? userId;
  for await (const page of followsOf(database, from)) {
    const moved: ImportedFollow[] = [];
    for (const { followerId, followeeId, followedAt } of page) {
      const [follower, followee] = [currentId(followerId), currentId(followeeId)];
      // Both are one by now, and nobody follows oneself.
      if (follower === followee) {
        ownFollow = followedAt;
        continue;
      }
      touched.add(follower, 'following');
      touched.add(followee, 'followers');
      moved.push({ follower, followee, followedAt });
    }
    await storeFollows(moved);
  }
  return ownFollow;
}

/** Removes tweets from the timeline of the user whose own they are by now. */
async function removeOwnTweets(
  database: Database,
  writer: RowWriter,
  authorId: string,
  reader: Pick<TimelineReader, 'userId' | 'at'>,
): Promise<void> {
  for await (const page of readTweetsBy({ database }, authorId, null))
    for (const tweet of page) await removeFromTimeline(writer, tweet, { ...reader, version: 1 });
}

async function mergeTweets(
  database: Database,
  writer: RowWriter,
  from: string,
  to: string,
  links: ImportedLinks,
): Promise<void> {
  for await (const page of readTweetsBy({ database }, from, null)) {
    const tweetIds = page.map(({ tweetId }) => tweetId);
    await invalidateTweets(database, tweetIds);
    const [stored, counts] = await Promise.all([
      readMany(database, tweets.get, page),
      readMany(database, tweetCounts.get, page),
    ]);
    for (const [index, tweet] of stored.entries()) {
      if (tweet === null) continue;
      const merged = { ...tweet, authorId: to };
      await storeTweet(writer, merged);
      const magnitude = magnitudeOf(likesIn(counts[index] ?? null));
      for (const write of buildTopTweetRows(merged, magnitude)) await writer.put(write);
      // Trends count authors: with the old rows the author would count twice.
      for (const write of buildTrendRemovals(tweet, Date.now() * 1000)) await writer.put(write);
    }
    await writer.flush();
    await invalidateTweets(database, tweetIds);
    // Their shares name the author, too.
    await links.arrived(tweetIds);
  }
}

/**
 * Counts the posts that one user has made here for another one, so that their deletion is counted, too, and makes their notifications name that
 * one. Posts of imports are counted apart, and notify nobody.
 */
async function countPostedHere(database: Database, from: string, to: string): Promise<void> {
  const tally = createTally(database);
  for await (const page of readTweetsBy({ database }, from, null)) {
    const records = await readMany(database, countsOfRecord, page);
    const posted = page.filter((_, index) => records[index] === null);
    await Promise.all(
      posted.map(({ tweetId: member, createdAt: at }) =>
        tally.change(tweetsChange({ owner: to, member, present: true, at })),
      ),
    );
    await renameActor(
      database,
      to,
      posted.map(({ tweetId, createdAt }) => ({ id: tweetId, createdAt })),
    );
  }
  await refreshUserCounts({ database, tally }, to);
}

/** Deletes all rows of a user. The rows in other users' lists go first, because they are found by the user's own rows. */
async function clear(database: Database, writer: RowWriter, userId: string, to: string): Promise<void> {
  const load = createLoad(database);
  for await (const page of followsOf(database, userId)) {
    await takeBackFollows(database, userId, page);
    for (const { followedAt, followerId: follower, followeeId: followee } of page) {
      await writer.put(partitionRemovalOf(relations, { pair: joinPair(follower, followee) }));
      if (followee === userId) {
        await writer.put(removalOf(pulledByUser, { userId: follower, authorId: userId }));
        await writer.put(removalOf(followeesByName, { userId: follower, followeeId: userId }));
      }
      await writer.put(
        followee === userId
          ? removalOf(followingByUser, { userId: follower, followedAt, followeeId: userId })
          : removalOf(followersByUser, { userId: followee, followedAt, followerId: userId }),
      );
    }
  }
  for await (const page of readTweetsBy({ database }, userId, null)) {
    const shares = page.flatMap(({ sharedTweetId, createdAt: sharedAt }) =>
      sharedTweetId === null ? [] : [{ tweetId: sharedTweetId, sharedAt, userId }],
    );
    await moveShares(database, shares, to);
    for (const share of shares) {
      await writer.put(removalOf(tallies, makeShareRow(share.tweetId, userId)));
      await writer.put(removalOf(sharersByTweet, share));
    }
  }
  await writer.flush();
  for (const table of [followersByUser, followingByUser, timelinesByUser, tweetsByAuthor])
    await removeList(database, writer, table, userId);
  await writer.put(partitionRemovalOf(topTweetsByAuthor, { authorId: userId }));
  for (const write of buildTopUserRemovals(userId, await load(userCounts.get, { userId })))
    await writer.put(write);
  await writer.put(partitionRemovalOf(engagementsByUser, { userId }));
  await writer.put(partitionRemovalOf(pulledByUser, { userId }));
  await writer.put(partitionRemovalOf(followeesByName, { userId }));
  await writer.put(partitionRemovalOf(userCounts, { userId }));
  // The user itself goes last, because a page of its tweets or timeline that has items shows that it exists.
  await writer.flush();
  const user = await load(users.get, { userId });
  if (user?.twitterAccount != null) {
    const accountFolded = user.twitterAccount.toLowerCase();
    await writer.put(partitionRemovalOf(usersByTwitterAccount, { accountFolded }));
  }
  await writer.put(partitionRemovalOf(users, { userId }));
}

/** Makes notifications of shares that were made here name the user who has them now. */
async function moveShares(
  database: Database,
  shares: readonly { readonly tweetId: string; readonly userId: string }[],
  to: string,
): Promise<void> {
  // They were stored for the latter before, with times of their own.
  const [former, now] = await Promise.all([
    factsOfTallies(
      database,
      shares.map(({ tweetId, userId }) => makeShareRow(tweetId, userId)),
    ),
    factsOfTallies(
      database,
      shares.map(({ tweetId }) => makeShareRow(tweetId, to)),
    ),
  ]);
  await notifyOfPast(noticesOf(database), [...former.map(takeBack), ...now]);
}

/** Takes notifications of follows that were made here back: the follows of a user into whom another one is merged are imported ones. */
async function takeBackFollows(
  database: Database,
  userId: string,
  follows: readonly { readonly followerId: string; readonly followeeId: string }[],
): Promise<void> {
  const pairs = follows.map(({ followerId, followeeId }) => joinPair(followerId, followeeId));
  for (let n = 0; n < pairs.length; n += PAIRS_AT_ONCE) {
    const facts = await factsOfPairs(database, [...new Set(pairs.slice(n, n + PAIRS_AT_ONCE))]);
    const own = facts.filter(({ act }) => act.actorId === userId);
    await notifyOfPast(noticesOf(database), own.map(takeBack));
  }
}

function takeBack(fact: Fact): Fact {
  return { ...fact, act: { ...fact.act, present: false, changedAt: new Date() } };
}

/** Creates the services by which notifications are written. Servers that have subscribers find the changes themselves. */
function noticesOf(database: Database) {
  return { database, bulk: createBulkWriter(database), signals: createSignals() };
}

/** All follows of a user, as followee and as follower, in pages of 1,000: one user may have millions. */
async function* followsOf(database: Database, userId: string) {
  for await (const page of readFollowers({ database }, userId))
    yield page.map(({ followerId, followedAt }) => ({ followerId, followeeId: userId, followedAt }));
  for await (const page of readFollowees({ database }, userId))
    yield page.map(({ followeeId, followedAt }) => ({ followerId: userId, followeeId, followedAt }));
}
