import { followersByUser, pulledByUser } from '../../follow/follow.table';
import type { Database } from '../../kit/cassandra/database';
import { createLoad } from '../../kit/load';
import { monthsOf } from '../../kit/relay/buckets';
import { writeOf } from '../../kit/write';
import { timelinesByUser } from '../../timeline/timeline.table';
import { tweetsByAuthor } from '../../tweet/tweet.table';
import { userCounts } from '../../user/user.table';
import type { Counter } from './count';
import type { Touched } from './touched';
import type { Writer } from './writer';

/** How many tweets are pushed to each follower at a time. */
const PUSHED_AT_ONCE = 100;

/** Counts users' new rows, and pushes their tweets to their followers or has them merged in on reading. */
export async function settleUsers(
  database: Database,
  writer: Writer,
  count: Counter,
  touched: readonly Touched[],
  pushLimit: number,
): Promise<void> {
  const posting = touched.filter(({ followers, tweets }) => followers || tweets).map(({ userId }) => userId);
  const following = touched.filter((user) => user.following).map(({ userId }) => userId);
  const [followerCounts, followingCounts, tweetCounts] = await Promise.all([
    count('followers', posting),
    count('following', following),
    count('tweets', posting),
  ]);
  for (const { userId } of touched) {
    const followerCount = followerCounts.get(userId) ?? null;
    const followingCount = followingCounts.get(userId) ?? null;
    const tweetCount = tweetCounts.get(userId) ?? null;
    await writer.put(writeOf(userCounts, { userId, followerCount, followingCount, tweetCount }));
    if (!tweetCount || !followerCount) continue;
    if (followerCount <= pushLimit) await pushTweets(database, writer, userId);
    else await pullTweets(database, writer, userId);
  }
}

/** Writes each of an author's tweets to each follower's timeline; the followers, at most the push limit, are in memory. */
async function pushTweets(database: Database, writer: Writer, authorId: string): Promise<void> {
  const followers: string[] = [];
  for await (const followerId of followersOf(database, authorId)) followers.push(followerId);
  const load = createLoad(database);
  for (const bucket of await monthsOf(load, [{ list: tweetsByAuthor.name, owner: authorId }])) {
    for (const owner of followers) await writer.putMonth(timelinesByUser.name, owner, bucket);
    for (let after: string[] | undefined; ;) {
      const page = await load(tweetsByAuthor.page, { authorId, bucket, after, limit: PUSHED_AT_ONCE });
      for (const userId of followers) {
        for (const tweet of page) await writer.put(writeOf(timelinesByUser, { ...tweet, userId, bucket }));
      }
      const last = page.at(-1);
      if (page.length < PUSHED_AT_ONCE || last === undefined) break;
      after = [last.tweetId];
    }
  }
}

async function pullTweets(database: Database, writer: Writer, authorId: string): Promise<void> {
  for await (const userId of followersOf(database, authorId))
    await writer.put(writeOf(pulledByUser, { userId, authorId }));
}

async function* followersOf(database: Database, userId: string): AsyncIterable<string> {
  for (const bucket of await monthsOf(createLoad(database), [
    { list: followersByUser.name, owner: userId },
  ])) {
    const cql =
      'SELECT CAST(follower_id AS text) AS id FROM followers_by_user WHERE user_id = ? AND bucket = ?';
    for await (const row of database.stream(cql, [userId, bucket])) yield String(Reflect.get(row, 'id'));
  }
}
