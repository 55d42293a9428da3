import { followersByUser, followingByUser } from '../../features/follow/follow.lists';
import { pulledByUser, relations } from '../../features/follow/follow.table';
import { joinPair } from '../../features/follow/relation';
import type { Database } from '../../kit/cassandra/database';
import { bucketsOfList, listBuckets } from '../../kit/lists/list-buckets';
import { magnitudeOf } from '../../kit/base/magnitude';
import { createLoad, readMany } from '../../kit/reads/load';
import { tallies } from '../../kit/work/tally';
import { partitionRemovalOf, removalOf } from '../../kit/cassandra/write';
import { buildTrendRemovals } from '../../write/tweet/index-rows';
import { buildTopTweetRows } from '../../write/tweet/top-rows';
import { buildTopUserRemovals } from '../../write/user/user-counts';
import { followeesByName } from '../../features/user-search/user-search.table';
import { timelinesByUser } from '../../features/timeline/timeline.lists';
import { readFollowees, readFollowers, readTweetsBy } from '../../write/timeline/author-pages';
import { tweetsByAuthor } from '../../features/tweet/tweet.lists';
import { likesIn, topTweetsByAuthor, tweetCounts, tweets } from '../../features/tweet/tweet.table';
import { userCounts, users, usersByTwitterAccount } from '../../features/user/user.table';
import { invalidateTweets } from '../../write/tweet/invalidate-tweet';
import { findActing, moveMutes, type MoveActs } from './acting-users';
import type { ImportedLinks } from './links';
import type { StoreFollow } from './follows';
import { makeShareRow, storeTweet } from './rows';
import type { TouchedUsers } from './touched';
import type { RowWriter } from '../../kit/writes/row-writer';

/** How many users are merged at a time. */
const MAX_USERS_AT_ONCE = 100;

/**
 * Merges users whose ids were derived from their names into the users with the ids that their profiles give;
 * `mergedIds` maps the old id to the new one. Old rows are removed only after the new ones are stored, so a crash
 * in between leaves both, and merging again repairs it. `moveActs` moves what they have done here. Marks every user whose lists change as touched. Resolves to how many relations
 * of the former were counted, as followers.
 */
export async function mergeUsers(
  database: Database,
  writer: RowWriter,
  storeFollow: StoreFollow,
  mergedIds: ReadonlyMap<string, string>,
  touched: TouchedUsers,
  links: ImportedLinks,
  moveActs: MoveActs,
): Promise<number> {
  await writer.flush();
  const merges = [...mergedIds];
  await moveMutes(database, writer, mergedIds);
  const counts = await readMany(
    database,
    userCounts.get,
    merges.map(([userId]) => ({ userId })),
  );
  for (let n = 0; n < merges.length; n += MAX_USERS_AT_ONCE) {
    const chunk = merges.slice(n, n + MAX_USERS_AT_ONCE);
    const removals = await Promise.all(
      chunk.map(async ([from, to]) => {
        touched.forget(from);
        touched.add(to, 'tweets');
        await mergeFollows(database, storeFollow, mergedIds, from, touched);
        await mergeTweets(database, writer, from, to, links);
        return () => clear(database, writer, from);
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
  return counts.reduce((total, row) => total + (row?.importedFollowing ?? 0), 0);
}

async function mergeFollows(
  database: Database,
  storeFollow: StoreFollow,
  mergedIds: ReadonlyMap<string, string>,
  from: string,
  touched: TouchedUsers,
): Promise<void> {
  const currentId = (userId: string) => mergedIds.get(userId) ?? userId;
  for (const { followerId, followeeId, followedAt } of await followsOf(database, from)) {
    touched.add(currentId(followerId), 'following');
    touched.add(currentId(followeeId), 'followers');
    await storeFollow(currentId(followerId), currentId(followeeId), followedAt);
  }
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

/** Deletes all rows of a user. The rows in other users' lists go first, because they are found by the user's own rows. */
async function clear(database: Database, writer: RowWriter, userId: string): Promise<void> {
  const load = createLoad(database);
  for (const { followedAt, followerId, followeeId } of await followsOf(database, userId)) {
    const [follower, followee] = [followerId, followeeId];
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
  for await (const page of readTweetsBy({ database }, userId, null))
    for (const { sharedTweetId } of page)
      if (sharedTweetId !== null) await writer.put(removalOf(tallies, makeShareRow(sharedTweetId, userId)));
  await writer.flush();
  for (const bucket of await bucketsOfList(load, followersByUser, userId))
    await writer.put(partitionRemovalOf(followersByUser, { userId, bucket }));
  for (const bucket of await bucketsOfList(load, followingByUser, userId))
    await writer.put(partitionRemovalOf(followingByUser, { userId, bucket }));
  for (const bucket of await bucketsOfList(load, timelinesByUser, userId))
    await writer.put(partitionRemovalOf(timelinesByUser, { userId, bucket }));
  for (const bucket of await bucketsOfList(load, tweetsByAuthor, userId))
    await writer.put(partitionRemovalOf(tweetsByAuthor, { authorId: userId, bucket }));
  for (const { name } of [followersByUser, followingByUser, timelinesByUser, tweetsByAuthor])
    await writer.put(partitionRemovalOf(listBuckets, { owner: userId, list: name }));
  await writer.put(partitionRemovalOf(topTweetsByAuthor, { authorId: userId }));
  for (const write of buildTopUserRemovals(userId, await load(userCounts.get, { userId })))
    await writer.put(write);
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

/** All follows of a user, as follower and as followee. */
async function followsOf(database: Database, userId: string) {
  const follows: { followerId: string; followeeId: string; followedAt: Date }[] = [];
  for await (const page of readFollowers({ database }, userId))
    follows.push(...page.map((row) => ({ ...row, followeeId: userId })));
  for await (const page of readFollowees({ database }, userId))
    follows.push(...page.map((row) => ({ ...row, followerId: userId })));
  return follows;
}
