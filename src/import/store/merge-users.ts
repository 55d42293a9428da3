import { followersByUser, followingByUser, pulledByUser, relations } from '../../follow/follow.table';
import { pairOf } from '../../follow/relation';
import type { Database, Write } from '../../kit/cassandra/database';
import { createLoad, type Load } from '../../kit/data/load';
import { buckets, bucketsOf } from '../../kit/data/buckets';
import { tallies } from '../../kit/work/tally';
import { partitionRemovalOf, removalOf } from '../../kit/data/write';
import { trendRemovalsOf } from '../../write/tweet/trend-rows';
import { modeOf } from '../../write/timeline/fan-out-mode';
import { removeFromTimeline, readerOf } from '../../write/timeline/timeline-rows';
import { timelinesByUser } from '../../timeline/timeline.table';
import { followersOf, tweetsOf } from '../../write/timeline/author-pages';
import { tweetsByAuthor } from '../../tweet/tweet.table';
import { userCounts, users, usersByTwitterAccount } from '../../user/user.table';
import type { StoreFollow } from './follows';
import { shareOf, storeTweet } from './rows';
import type { TouchedUsers } from './touched';
import type { RowWriter } from '../../kit/data/row-writer';

/** How many users are merged at a time. */
const MAX_USERS_AT_ONCE = 100;
/** More rows than any bucket has of a user whom a source knew by name only. */
const MAX_BUCKET_ROWS = 1_000_000;

/**
 * Merges users whose ids were derived from their names into the users with the ids that their profiles give;
 * `mergedIds` maps the old id to the new one. Old rows are removed only after the new ones are stored, so a crash
 * in between leaves both, and merging again repairs it. Marks every user whose lists change as touched.
 */
export async function mergeUsers(
  database: Database,
  writer: RowWriter,
  storeFollow: StoreFollow,
  mergedIds: ReadonlyMap<string, string>,
  touched: TouchedUsers,
): Promise<void> {
  await writer.flush();
  const merges = [...mergedIds];
  for (let n = 0; n < merges.length; n += MAX_USERS_AT_ONCE) {
    const chunk = merges.slice(n, n + MAX_USERS_AT_ONCE);
    const load = createLoad(database);
    const removals = await Promise.all(
      chunk.map(async ([from, to]) => {
        touched.forget(from);
        touched.add(to, 'tweets');
        await mergeFollows(load, storeFollow, mergedIds, from, touched);
        await mergeTweets(load, writer, from, to);
        await removeFromTimelineShards(database, writer, from);
        return () => clear(load, writer, from);
      }),
    );
    await writer.flush();
    for (const remove of removals) await remove();
    await writer.flush();
  }
}

async function mergeFollows(
  load: Load,
  storeFollow: StoreFollow,
  mergedIds: ReadonlyMap<string, string>,
  from: string,
  touched: TouchedUsers,
): Promise<void> {
  const currentId = (userId: string) => mergedIds.get(userId) ?? userId;
  for (const { followerId, followeeId, followedAt } of await followsOf(load, from)) {
    touched.add(currentId(followerId), 'following');
    touched.add(currentId(followeeId), 'followers');
    await storeFollow(currentId(followerId), currentId(followeeId), followedAt);
  }
}

async function mergeTweets(load: Load, writer: RowWriter, from: string, to: string): Promise<void> {
  for (const bucket of await bucketsOf(load, [{ list: tweetsByAuthor.name, owner: from }])) {
    for (const tweet of await load(tweetsByAuthor.page, { authorId: from, bucket, limit: MAX_BUCKET_ROWS })) {
      await storeTweet(writer, { ...tweet, authorId: to });
      // Trends count authors: with the old rows the author would count twice.
      for (const write of trendRemovalsOf(tweet, Date.now() * 1000)) await writer.put(write);
    }
  }
}

/**
 * Removes an author's tweets from the shards of the followers' timelines: the shard depends on the author's id, so under
 * the new id the tweets go to other shards. The removals are as of version 2, and the rows with the new id are as of
 * version 3, because both may be in the same shard.
 */
async function removeFromTimelineShards(
  database: Database,
  writer: RowWriter,
  authorId: string,
): Promise<void> {
  if ((await modeOf({ database }, authorId)).mode === 'pull') return;
  for await (const page of followersOf({ database }, authorId)) {
    const readers = page.map(readerOf).filter(({ parted }) => parted);
    if (readers.length === 0) continue;
    for await (const tweets of tweetsOf({ database }, authorId, 0))
      for (const reader of readers)
        for (const tweet of tweets) await removeFromTimeline(writer, tweet, { ...reader, turn: 2 });
  }
}

/** Deletes all rows of a user. The rows in other users' lists go first, because they are found by the user's own rows. */
async function clear(load: Load, writer: RowWriter, userId: string): Promise<void> {
  for (const { bucket, followedAt, followerId, followeeId } of await followsOf(load, userId)) {
    const [follower, followee] = [followerId, followeeId];
    await writer.put(partitionRemovalOf(relations, { pair: pairOf(follower, followee) }));
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
    await writer.put(partitionRemovalOf(buckets, { owner: userId, list }));
  };
  await clearBuckets(followersByUser.name, (bucket) =>
    partitionRemovalOf(followersByUser, { userId, bucket }),
  );
  await clearBuckets(followingByUser.name, (bucket) =>
    partitionRemovalOf(followingByUser, { userId, bucket }),
  );
  await clearBuckets(timelinesByUser.name, (bucket) =>
    partitionRemovalOf(timelinesByUser, { userId, bucket }),
  );
  for (const bucket of await bucketsOf(load, [{ list: tweetsByAuthor.name, owner: userId }])) {
    for (const { sharedTweetId } of await load(tweetsByAuthor.page, {
      authorId: userId,
      bucket,
      limit: MAX_BUCKET_ROWS,
    }))
      if (sharedTweetId !== null) await writer.put(removalOf(tallies, shareOf(sharedTweetId, userId)));
  }
  await clearBuckets(tweetsByAuthor.name, (bucket) =>
    partitionRemovalOf(tweetsByAuthor, { authorId: userId, bucket }),
  );
  await writer.put(partitionRemovalOf(pulledByUser, { userId }));
  await writer.put(partitionRemovalOf(userCounts, { userId }));
  const user = await load(users.get, { userId });
  if (user?.twitterAccount != null) {
    const accountFolded = user.twitterAccount.toLowerCase();
    await writer.put(partitionRemovalOf(usersByTwitterAccount, { accountFolded }));
  }
  await writer.put(partitionRemovalOf(users, { userId }));
}

async function followsOf(load: Load, userId: string) {
  const [followerBuckets, followingBuckets] = await Promise.all([
    bucketsOf(load, [{ list: followersByUser.name, owner: userId }]),
    bucketsOf(load, [{ list: followingByUser.name, owner: userId }]),
  ]);
  const followers = followerBuckets.map((bucket) =>
    load(followersByUser.page, { userId, bucket, limit: MAX_BUCKET_ROWS }),
  );
  const following = followingBuckets.map((bucket) =>
    load(followingByUser.page, { userId, bucket, limit: MAX_BUCKET_ROWS }),
  );
  return [
    ...(await Promise.all(followers)).flat().map((row) => ({ ...row, followeeId: userId })),
    ...(await Promise.all(following)).flat().map((row) => ({ ...row, followerId: userId })),
  ];
}
