import { createServer } from 'node:http';
import { tweetsByDay } from '../src/features/tweet/tweet.lists';
import { addComment, publish } from './news/raw-writes';
import { rawClient } from './raw-client';

// Writes the same rows as createTweet and likeTweet by hand, with node:http and the driver.
// /post/<author>/<rows>/<in flight> writes a tweet and pushes it to the followers by unlogged batches of that many rows,
// that many of them at once, and answers with the milliseconds until the tweet and until all timelines were written.
// /like/<tweet>/<user> adds a like that is counted once. For /publish/<author> and /comment/<article>/<user> see
// news/raw-writes.ts.

const tweet = 'author_id, tweet_id, content, created_at, language, hashtags';
const statements = {
  tweet: `INSERT INTO tweets (${tweet}) VALUES (?, ?, ?, ?, ?, ?)`,
  byAuthor: `INSERT INTO tweets_by_author (bucket, ${tweet}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  byDay: `INSERT INTO tweets_by_day (day, bucket, ${tweet}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  timeline: `INSERT INTO timelines_by_user (user_id, bucket, ${tweet}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  followers: 'SELECT follower_id FROM followers_by_user WHERE user_id = ? AND bucket = ?',
  like: 'INSERT INTO bench_likes (tweet_id, user_id) VALUES (?, ?) IF NOT EXISTS',
  byTweet: 'INSERT INTO likes_by_tweet (tweet_id, bucket, liked_at, user_id) VALUES (?, ?, ?, ?)',
  byUser: 'INSERT INTO likes_by_user (user_id, bucket, liked_at, tweet_id) VALUES (?, ?, ?, ?)',
  count: 'UPDATE bench_like_counts SET likes = likes + 1 WHERE tweet_id = ?',
};

/** The partition of a list that was not split. Those of the benchmark's network are not. */
const BUCKET = 0;

const [contactPoint = '', keyspace = ''] = process.argv.slice(2);
const client = rawClient(contactPoint, keyspace);
let created = 0;

async function post(authorId: string, rows: number, inFlight: number) {
  const started = performance.now();
  const createdAt = new Date();
  const tweetId = (BigInt(createdAt.getTime() - 1_288_834_974_657) << 22n) | BigInt(created++ & 4095);
  const day = tweetsByDay.ownerFor({ createdAt, tweetId });
  const content = `${'some words of a tweet '.repeat(5)} #bench ${created}`;
  const values = [authorId, tweetId, content, createdAt, 'en', ['bench']];
  await client.batch(
    [
      { query: statements.tweet, params: values },
      { query: statements.byAuthor, params: [BUCKET, ...values] },
      { query: statements.byDay, params: [day, BUCKET, ...values] },
    ],
    { prepare: true, logged: true },
  );
  const answered = performance.now() - started;
  const followers = (await client.execute(statements.followers, [authorId, BUCKET])).rows;
  let next = 0;
  const push = async () => {
    while (next < followers.length) {
      const chunk = followers.slice(next, (next += rows));
      const queries = chunk.map((row) => ({
        query: statements.timeline,
        params: [row['follower_id'] as unknown, BUCKET, ...values],
      }));
      await client.batch(queries, { prepare: true, logged: false });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, push));
  return { answered, whole: performance.now() - started };
}

/** The fewest possible writes. If the process is killed after the first one, the like is never counted, so this is no solution. */
async function like(tweetId: string, userId: string) {
  if (!(await client.execute(statements.like, [tweetId, userId])).wasApplied()) return { liked: false };
  const now = new Date();
  await client.batch(
    [
      { query: statements.byTweet, params: [tweetId, BUCKET, now, userId] },
      { query: statements.byUser, params: [userId, BUCKET, now, tweetId] },
    ],
    { prepare: true, logged: false },
  );
  await client.execute(statements.count, [tweetId]);
  return { liked: true };
}

const server = createServer((request, response) => {
  const [, kind = '', first = '', second = '', third = ''] = (request.url ?? '').split('/');
  const handlers: Readonly<Record<string, () => Promise<unknown>>> = {
    post: () => post(first, Number(second), Number(third)),
    like: () => like(first, second),
    publish: () => publish(client, first),
    comment: () => addComment(client, first, second),
  };
  (handlers[kind]?.() ?? Promise.resolve({})).then(
    (result) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
    },
    (error: unknown) => {
      response.writeHead(500).end(String(error));
    },
  );
});
void client.connect().then(() => server.listen(Number(process.env['PORT']), '127.0.0.1'));
