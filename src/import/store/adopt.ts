import { followersByUser, followingByUser, pulledByUser, relations } from '../../follow/follow.table';
import { pairOf } from '../../follow/relation';
import type { Database, Write } from '../../kit/cassandra/database';
import { createLoad, type Load } from '../../kit/data/load';
import { buckets, bucketsOf } from '../../kit/data/buckets';
import { tallies } from '../../kit/work/tally';
import { clearanceOf, removalOf } from '../../kit/data/write';
import { trendRemovalsOf } from '../../write/tweet/trend-rows';
import { modeOf } from '../../write/timeline/fan-out-mode';
import { removeFromTimeline, readerOf } from '../../write/timeline/timeline-rows';
import { timelinesByUser } from '../../timeline/timeline.table';
import { followersOf, tweetsOf } from '../../write/timeline/walk';
import { tweetsByAuthor } from '../../tweet/tweet.table';
import { userCounts, users, usersByTwitterAccount } from '../../user/user.table';
import type { StoreFollow } from './follows';
import { shareOf, storeTweet } from './rows';
import type { TouchedUsers } from './touched';
import type { Writer } from './writer';

/** How many users are moved at a time. */
const MAX_USERS_AT_ONCE = 100;
/** More than any month of a user that a source knew by name only. */
const MAX_BUCKET_ROWS = 1_000_000;

/**
 * Moves what users have who were known by an id derived from their name, to the ids that their profiles give.
 * The old rows go only when the new ones are stored, so a crash between leaves both, and moving again mends it.
 * Touches everybody whose lists change.
 */
export async function mergeUsers(
  database: Database,
  writer: Writer,
  storeFollow: StoreFollow,
  mergedIds: ReadonlyMap<string, string>,
  touched: TouchedUsers,
): Promise<void> {
  await writer.flush();
  const moves = [...mergedIds];
  for (let n = 0; n < moves.length; n += MAX_USERS_AT_ONCE) {
    const some = moves.slice(n, n + MAX_USERS_AT_ONCE);
    const load = createLoad(database);
    const leave = await Promise.all(
      some.map(async ([from, to]) => {
        touched.forget(from);
        touched.add(to, 'tweets');
        await moveFollows(load, storeFollow, mergedIds, from, touched);
        await moveTweets(load, writer, from, to);
        await leaveTimelineShards(database, writer, from);
        return () => clear(load, writer, from);
      }),
    );
    await writer.flush();
    for (const clearOne of leave) await clearOne();
    await writer.flush();
  }
}

async function moveFollows(
  load: Load,
  storeFollow: StoreFollow,
  mergedIds: ReadonlyMap<string, string>,
  from: string,
  touched: TouchedUsers,
): Promise<void> {
  const now = (userId: string) => mergedIds.get(userId) ?? userId;
  for (const { followerId, followeeId, followedAt } of await followsOf(load, from)) {
    touched.add(now(followerId), 'following');
    touched.add(now(followeeId), 'followers');
    await storeFollow(now(followerId), now(followeeId), followedAt);
  }
}

async function moveTweets(load: Load, writer: Writer, from: string, to: string): Promise<void> {
  for (const bucket of await bucketsOf(load, [{ list: tweetsByAuthor.name, owner: from }])) {
    for (const tweet of await load(tweetsByAuthor.page, { authorId: from, bucket, limit: MAX_BUCKET_ROWS })) {
      await storeTweet(writer, { ...tweet, authorId: to });
      // Else one author counts as two.
      for (const write of trendRemovalsOf(tweet, Date.now() * 1000)) await writer.put(write);
    }
  }
}

/**
 * Takes an author's tweets out of the parts of its followers' timelines: under another id they come to others. As of a
 * turn before the one for which what names the new id counts, since that may come to the same place.
 */
async function leaveTimelineShards(database: Database, writer: Writer, authorId: string): Promise<void> {
  if ((await modeOf({ database }, authorId)).mode === 'pull') return;
  for await (const page of followersOf({ database }, authorId)) {
    const readers = page.map(readerOf).filter(({ parted }) => parted);
    if (readers.length === 0) continue;
    for await (const tweets of tweetsOf({ database }, authorId, 0))
      for (const reader of readers)
        for (const tweet of tweets) await removeFromTimeline(writer, tweet, { ...reader, turn: 2 });
  }
}

/** Deletes all that a user has; its relations at the other end first, since they are found by its own rows. */
async function clear(load: Load, writer: Writer, userId: string): Promise<void> {
  for (const { bucket, followedAt, followerId, followeeId } of await followsOf(load, userId)) {
    const [follower, followee] = [followerId, followeeId];
    await writer.put(clearanceOf(relations, { pair: pairOf(follower, followee) }));
    if (followee === userId)
      await writer.put(removalOf(pulledByUser, { userId: follower, authorId: userId }));
    await writer.put(
      followee === userId
        ? removalOf(followingByUser, { userId: follower, bucket, followedAt, followeeId: userId })
        : removalOf(followersByUser, { userId: followee, bucket, followedAt, followerId: userId }),
    );
  }
  await writer.flush();
  const clearBuckets = async (list: string, clearance: (bucket: number) => Write) => {
    for (const bucket of await bucketsOf(load, [{ list, owner: userId }]))
      await writer.put(clearance(bucket));
    await writer.put(clearanceOf(buckets, { owner: userId, list }));
  };
  await clearBuckets(followersByUser.name, (bucket) => clearanceOf(followersByUser, { userId, bucket }));
  await clearBuckets(followingByUser.name, (bucket) => clearanceOf(followingByUser, { userId, bucket }));
  await clearBuckets(timelinesByUser.name, (bucket) => clearanceOf(timelinesByUser, { userId, bucket }));
  for (const bucket of await bucketsOf(load, [{ list: tweetsByAuthor.name, owner: userId }])) {
    for (const { sharedTweetId } of await load(tweetsByAuthor.page, {
      authorId: userId,
      bucket,
      limit: MAX_BUCKET_ROWS,
    }))
      if (sharedTweetId !== null) await writer.put(removalOf(tallies, shareOf(sharedTweetId, userId)));
  }
  await clearBuckets(tweetsByAuthor.name, (bucket) =>
    clearanceOf(tweetsByAuthor, { authorId: userId, bucket }),
  );
  await writer.put(clearanceOf(pulledByUser, { userId }));
  await writer.put(clearanceOf(userCounts, { userId }));
  const user = await load(users.get, { userId });
  if (user?.twitterAccount != null) {
    const accountFolded = user.twitterAccount.toLowerCase();
    await writer.put(clearanceOf(usersByTwitterAccount, { accountFolded }));
  }
  await writer.put(clearanceOf(users, { userId }));
}

async function followsOf(load: Load, userId: string) {
  const [followerMonths, followingMonths] = await Promise.all([
    bucketsOf(load, [{ list: followersByUser.name, owner: userId }]),
    bucketsOf(load, [{ list: followingByUser.name, owner: userId }]),
  ]);
  const followers = followerMonths.map((bucket) =>
    load(followersByUser.page, { userId, bucket, limit: MAX_BUCKET_ROWS }),
  );
  const following = followingMonths.map((bucket) =>
    load(followingByUser.page, { userId, bucket, limit: MAX_BUCKET_ROWS }),
  );
  return [
    ...(await Promise.all(followers)).flat().map((row) => ({ ...row, followeeId: userId })),
    ...(await Promise.all(following)).flat().map((row) => ({ ...row, followerId: userId })),
  ];
}
