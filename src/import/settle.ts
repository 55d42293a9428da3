import { followersByUser, followingByUser, pulledByUser } from '../follow/follow.table';
import type { Database } from '../kit/cassandra/database';
import type { Statement } from '../kit/cassandra/statement';
import { createLoad, type Load } from '../kit/load';
import { buckets, monthsOf } from '../kit/relay/buckets';
import { writeOf } from '../kit/write';
import { timelinesByUser } from '../timeline/timeline.table';
import { tweetsByAuthor } from '../tweet/tweet.table';
import { userCounts } from '../user/user.table';
import type { Writer } from './writer';

/** How many tweets are pushed to each follower at a time. */
const PUSHED_AT_ONCE = 100;

/** Which lists of a user have new rows. */
export interface Touched {
  readonly userId: string;
  readonly followers: boolean;
  readonly following: boolean;
  readonly tweets: boolean;
}

/** Counts users' new rows, and pushes their tweets to their followers or has them merged in on reading. */
export async function settleUsers(
  database: Database,
  writer: Writer,
  touched: readonly Touched[],
  pushLimit: number,
): Promise<void> {
  const load = createLoad(database);
  const settled = await Promise.all(
    touched.map(async ({ userId, followers, following, tweets }) => {
      const mayBePushed = followers || tweets;
      const [followerCount, followingCount, tweetCount] = await Promise.all([
        mayBePushed ? countOf(load, followersByUser, userId, (bucket) => ({ userId, bucket })) : null,
        following ? countOf(load, followingByUser, userId, (bucket) => ({ userId, bucket })) : null,
        mayBePushed
          ? countOf(load, tweetsByAuthor, userId, (bucket) => ({ authorId: userId, bucket }))
          : null,
      ]);
      return { userId, followerCount, followingCount, tweetCount };
    }),
  );
  for (const counts of settled) {
    await writer.put(writeOf(userCounts, counts));
    const { userId, followerCount, tweetCount } = counts;
    if (!tweetCount || !followerCount) continue;
    if (followerCount <= pushLimit) await pushTweets(database, writer, userId);
    else await pullTweets(database, writer, userId);
  }
}

/** How many rows a list has in all its months. */
export async function countOf<Key>(
  load: Load,
  table: { readonly name: string; readonly count: Statement<Key, number> },
  owner: string,
  partition: (bucket: number) => Key,
): Promise<number> {
  const months = await monthsOf(load, [{ list: table.name, owner }]);
  const counts = await Promise.all(months.map((bucket) => load(table.count, partition(bucket))));
  return counts.reduce((sum, some) => sum + some, 0);
}

/** Writes each of an author's tweets to each follower's timeline; the followers, at most the push limit, are in memory. */
async function pushTweets(database: Database, writer: Writer, authorId: string): Promise<void> {
  const followers: string[] = [];
  for await (const followerId of followersOf(database, authorId)) followers.push(followerId);
  const load = createLoad(database);
  for (const bucket of await monthsOf(load, [{ list: tweetsByAuthor.name, owner: authorId }])) {
    for (const owner of followers)
      await writer.putOnce(writeOf(buckets, { list: timelinesByUser.name, owner, bucket }));
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
