import { setTimeout as sleep } from 'node:timers/promises';
import { magnitudeOf } from '../../src/kit/base/magnitude';
import { readMany } from '../../src/kit/reads/load';
import { likesIn, tweetCounts, tweets } from '../../src/features/tweet/tweet.table';
import { setLiked } from '../../src/write/like/set-liked';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { holdBulk } from '../support/held-bulk';

const TWEET_ID = '100';
const IMPORTED_LIKES = 7;

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'user1'), person('2', 'user2'), tweet(TWEET_ID, '1', 1)]);
});
afterAll(() => server.close());

test('a tweet whose likes an import counts during a like is listed by the likes of both', async () => {
  const { writeServices, database } = server;
  const [row] = await readMany(database, tweets.get, [{ tweetId: TWEET_ID }]);
  if (!row) throw new Error('the tweet must be stored');
  const { bulk, taken, release } = holdBulk(writeServices);
  const liking = setLiked({ ...writeServices, bulk }, row, '2', true);
  expect(magnitudeOf(IMPORTED_LIKES + 1)).toBeGreaterThan(magnitudeOf(IMPORTED_LIKES));
  // The like has read the counts before it stores its rows.
  await taken;
  // With all counts, so that the import counts no rows, for which it would wait, too.
  const counts = { likeCount: IMPORTED_LIKES, shareCount: 0, replyCount: 0, quoteCount: 0 };
  const importing = server.store([tweet(TWEET_ID, '1', 1, counts)]);
  // The import waits for the like. One that does not has looked for the last time then.
  await Promise.race([importing, sleep(3000)]);
  release();
  await Promise.all([liking, importing]);
  await writeServices.outbox.idle();
  const [shown = null] = await readMany(database, tweetCounts.get, [{ tweetId: TWEET_ID }]);
  expect(likesIn(shown)).toBe(IMPORTED_LIKES + 1);
  const listed = await database.read('SELECT magnitude FROM top_tweets_by_author WHERE author_id = ?', [
    row.authorId,
  ]);
  expect(listed).toContainEqual({ magnitude: magnitudeOf(IMPORTED_LIKES + 1) });
});
