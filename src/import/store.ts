import { followersByUser, followingByUser, pulledByUser } from '../follow/follow.table';
import type { Database } from '../kit/cassandra/database';
import { writeOf } from '../kit/write';
import { buckets, monthOf } from '../kit/relay/buckets';
import { timelinesByUser } from '../timeline/timeline.table';
import {
  DAY_SHARDS,
  rawTweets,
  tweetCounts,
  tweets,
  tweetsByAuthor,
  tweetsByDay,
} from '../tweet/tweet.table';
import { userCounts } from '../user/user.table';
import { createWriter, type Writer } from './writer';
import { createPeople, type People } from './people';
import type { FollowRecord, ImportRecord, TweetRecord } from './record';

/** When an imported relation began whose source does not say: the same for all, so importing twice changes nothing. */
export const UNKNOWN_TIME = new Date(0);

/** How many users are counted and pushed at a time. */
const SETTLED_AT_ONCE = 32;

/** Writes records; writing one again changes nothing. */
export interface Store {
  /** Writes some records; resolves to why a record was refused, by its place. */
  add(records: readonly ImportRecord[]): Promise<ReadonlyMap<number, string>>;
  /** Makes counts and timelines of everybody touched what the rows say. Call it once, at the end. */
  settle(): Promise<void>;
}

/** Makes a store. Authors with more than `pushLimit` followers are merged in on reading rather than pushed. */
export function createStore(database: Database, pushLimit: number): Store {
  const writer = createWriter(database);
  const people = createPeople(database, writer);
  const touched = new Set<string>();
  return {
    async add(records) {
      const refused = await people.add(records);
      for (const [place, record] of records.entries()) {
        if (refused.has(place)) continue;
        if (record.kind === 'follow') await addFollow(writer, people, touched, record);
        else if (record.kind === 'tweet') await addTweet(writer, people, touched, record);
      }
      await writer.flush();
      return refused;
    },
    async settle() {
      const users = [...touched];
      for (let n = 0; n < users.length; n += SETTLED_AT_ONCE) {
        const some = users.slice(n, n + SETTLED_AT_ONCE);
        await Promise.all(some.map((userId) => settleUser(database, writer, userId, pushLimit)));
      }
      await writer.flush();
      touched.clear();
    },
  };
}

async function addFollow(writer: Writer, people: People, touched: Set<string>, record: FollowRecord) {
  const follower = people.idOf(record.follower);
  const followee = people.idOf(record.followee);
  const followedAt = record.followedAt ?? UNKNOWN_TIME;
  const bucket = monthOf(followedAt);
  touched.add(follower).add(followee);
  await writer.put(writeOf(followersByUser, { userId: followee, bucket, followedAt, followerId: follower }));
  await writer.put(writeOf(followingByUser, { userId: follower, bucket, followedAt, followeeId: followee }));
  await writer.putOnce(writeOf(buckets, { list: followersByUser.name, owner: followee, bucket }));
  await writer.putOnce(writeOf(buckets, { list: followingByUser.name, owner: follower, bucket }));
}

async function addTweet(writer: Writer, people: People, touched: Set<string>, record: TweetRecord) {
  const authorId = people.idOf(record.author);
  const bucket = monthOf(record.createdAt);
  const row = {
    tweetId: record.tweetId,
    authorId,
    content: record.content,
    createdAt: record.createdAt,
    language: record.language,
    location: record.location ?? null,
    hashtags: record.hashtags,
    mentions: record.mentions,
    inReplyToId: record.inReplyToId ?? null,
    sharedTweetId: record.sharedTweetId ?? null,
    quotedTweetId: record.quotedTweetId ?? null,
  };
  const day = record.createdAt.toISOString().slice(0, 10);
  const shard = Number(BigInt(record.tweetId) % BigInt(DAY_SHARDS));
  touched.add(authorId);
  await writer.put(writeOf(tweets, row));
  await writer.put(writeOf(tweetsByAuthor, { ...row, bucket }));
  await writer.put(writeOf(tweetsByDay, { ...row, day, shard }));
  await writer.put(writeOf(rawTweets, { tweetId: record.tweetId, raw: record.raw }));
  await writer.put(
    writeOf(tweetCounts, {
      tweetId: record.tweetId,
      likeCount: record.likeCount ?? 0,
      shareCount: record.shareCount ?? 0,
      replyCount: record.replyCount ?? 0,
    }),
  );
  await writer.putOnce(writeOf(buckets, { list: tweetsByAuthor.name, owner: authorId, bucket }));
}

/** Counts a user's rows, and pushes its tweets to its followers or has them merged in on reading. */
async function settleUser(
  database: Database,
  writer: Writer,
  userId: string,
  pushLimit: number,
): Promise<void> {
  const [followerCount, followingCount, tweetCount] = await Promise.all([
    countRows(database, followersByUser, 'user_id', userId),
    countRows(database, followingByUser, 'user_id', userId),
    countRows(database, tweetsByAuthor, 'author_id', userId),
  ]);
  await writer.put(writeOf(userCounts, { userId, followerCount, followingCount, tweetCount }));
  if (tweetCount === 0 || followerCount === 0) return;
  if (followerCount <= pushLimit) return pushTweets(database, writer, userId);
  for await (const followerId of followersOf(database, userId)) {
    await writer.put(writeOf(pulledByUser, { userId: followerId, authorId: userId }));
  }
}

/** Writes each of an author's tweets to each follower's timeline; the followers, at most the push limit, are in memory. */
async function pushTweets(database: Database, writer: Writer, authorId: string): Promise<void> {
  const followers: string[] = [];
  for await (const followerId of followersOf(database, authorId)) followers.push(followerId);
  for (const bucket of await monthsOfOwner(database, tweetsByAuthor.name, authorId)) {
    for (const owner of followers) {
      await writer.putOnce(writeOf(buckets, { list: timelinesByUser.name, owner, bucket }));
    }
    const { cql, owner, values } = tweetsByAuthor.page.bind({ authorId, bucket, limit: 1_000_000 });
    for await (const row of database.stream(cql, [owner, ...values])) {
      const [tweet] = tweetsByAuthor.page.pick([row]);
      if (tweet === undefined) continue;
      for (const userId of followers)
        await writer.put(writeOf(timelinesByUser, { ...tweet, userId, bucket }));
    }
  }
}

async function* followersOf(database: Database, userId: string): AsyncIterable<string> {
  for (const bucket of await monthsOfOwner(database, followersByUser.name, userId)) {
    const cql =
      'SELECT CAST(follower_id AS text) AS id FROM followers_by_user WHERE user_id = ? AND bucket = ?';
    for await (const row of database.stream(cql, [userId, bucket])) yield String(Reflect.get(row, 'id'));
  }
}

async function countRows(
  database: Database,
  { name }: { readonly name: string },
  owner: 'user_id' | 'author_id',
  ownerId: string,
): Promise<number> {
  const cql = `SELECT CAST(COUNT(*) AS text) AS n FROM ${name} WHERE ${owner} = ? AND bucket = ?`;
  const counts = await Promise.all(
    (await monthsOfOwner(database, name, ownerId)).map(async (bucket) =>
      Number(Reflect.get((await database.read(cql, [ownerId, bucket]))[0] ?? {}, 'n')),
    ),
  );
  return counts.reduce((sum, some) => sum + some, 0);
}

async function monthsOfOwner(database: Database, list: string, owner: string): Promise<number[]> {
  const bound = buckets.page.bind({ owner, list, limit: 5000 });
  const rows = buckets.page.pick(await database.read(bound.cql, [bound.owner, ...bound.values]));
  return rows.map(({ bucket }) => bucket);
}
