import { setTimeout as sleep } from 'node:timers/promises';
import { readMany } from '../../src/kit/reads/load';
import { tweets, type StoredTweet } from '../../src/features/tweet/tweet.table';
import { setLiked } from '../../src/write/like/set-liked';
import { person, startHarness, type Harness } from '../support/harness';
import { holdBulk } from '../support/held-bulk';
import { act, ask, post } from '../support/mutations';
import type { WriteServices } from '../../src/write/write-services';

const AUTHOR = '1';
const LIKER = '2';
let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([AUTHOR, LIKER].map((id) => person(id, `user${id}`)));
});
afterAll(() => server.close());

const readTweet = async (tweetId: string): Promise<StoredTweet> => {
  const [row] = await readMany(server.database, tweets.get, [{ tweetId }]);
  if (!row) throw new Error('the tweet must be stored');
  return row;
};

/** Stores the rows of a like after its tweet was deleted, and all likes with it. */
async function likeLate(change: Partial<WriteServices> = {}) {
  const { id, tweetId } = await post(server, AUTHOR, { content: 'deleted while it is liked' });
  const row = await readTweet(tweetId);
  const { writeServices } = server;
  const { bulk, taken, release } = holdBulk(writeServices);
  const liking = setLiked({ ...writeServices, bulk, ...change }, row, LIKER, true);
  await taken;
  await act(server, AUTHOR, 'deleteTweet', { id });
  while ((await writeServices.outbox.pending()).some(({ kind }) => kind === 'delete')) await sleep(20);
  release();
  await liking;
  return tweetId;
}

/** The tables that have rows of likes of a tweet, and whether its author is told of them. */
async function left(tweetId: string) {
  const tables = [
    `likes_by_tweet WHERE tweet_id = ${tweetId} AND bucket = 0`,
    `likes_by_user WHERE user_id = ${LIKER} AND bucket = 0`,
    `engagements_by_user WHERE user_id = ${LIKER}`,
  ].map((rows) => server.database.read(`SELECT * FROM ${rows}`, []));
  const told = await ask(server, '{ viewer { notifications { nodes { id } } } }', AUTHOR);
  return [...(await Promise.all(tables)), told];
}
const NOTHING = [[], [], [], { viewer: { notifications: { nodes: [] } } }];

test('a like whose rows are stored after its tweet was deleted, and all likes with it, leaves nothing', async () => {
  const tweetId = await likeLate();
  await server.writeServices.outbox.idle();
  expect(await left(tweetId)).toEqual(NOTHING);
});

test('the same if the server is gone before it tells the author, and its task runs again', async () => {
  const { worker } = server.writeServices;
  const gone = Object.assign(Object.create(worker) as typeof worker, {
    helpers: () => {
      throw new Error('gone');
    },
  });
  const tweetId = await likeLate({ worker: gone });
  await server.writeServices.outbox.idle();
  expect(await left(tweetId)).toEqual(NOTHING);
});
