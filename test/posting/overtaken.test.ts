import { setTimeout as sleep } from 'node:timers/promises';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { readMany } from '../../src/kit/reads/load';
import { tweets, type StoredTweet } from '../../src/features/tweet/tweet.table';
import { userCounts } from '../../src/features/user/user.table';
import { setLiked } from '../../src/write/like/set-liked';
import { fanOut } from '../../src/write/timeline/fan-out';
import { follow, person, startHarness, type Harness } from '../support/harness';
import { act, ask, post } from '../support/mutations';
import { taskRun } from '../support/task-run';

const AUTHOR = '1';
const FOLLOWER = '2';
const OTHER = '3';
let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    ...[AUTHOR, FOLLOWER, OTHER].map((id) => person(id, `user${id}`)),
    follow(FOLLOWER, AUTHOR),
  ]);
});
afterAll(() => server.close());

const readTweet = async (tweetId: string): Promise<StoredTweet> => {
  const [row] = await readMany(server.database, tweets.get, [{ tweetId }]);
  if (!row) throw new Error('the tweet must be stored');
  return row;
};

test('a like whose rows are stored after its tweet was deleted, and all likes with it, leaves nothing', async () => {
  const { id, tweetId } = await post(server, AUTHOR, { content: 'deleted while it is liked' });
  const row = await readTweet(tweetId);
  const { writeServices, database } = server;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let liking: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve) => {
    const bulk = () => {
      const writer = writeServices.bulk();
      resolve();
      return {
        ...writer,
        async flush() {
          await released;
          await writer.flush();
        },
      };
    };
    liking = setLiked({ ...writeServices, bulk }, row, FOLLOWER, true);
  });
  await act(server, AUTHOR, 'deleteTweet', { id });
  while ((await writeServices.outbox.pending()).some(({ kind }) => kind === 'delete')) await sleep(20);
  release();
  await liking;
  await writeServices.outbox.idle();
  const left = [
    `likes_by_tweet WHERE tweet_id = ${tweetId} AND bucket = 0`,
    `likes_by_user WHERE user_id = ${FOLLOWER} AND bucket = 0`,
    `engagements_by_user WHERE user_id = ${FOLLOWER}`,
  ].map((rows) => database.read(`SELECT * FROM ${rows}`, []));
  expect(await Promise.all(left)).toEqual([[], [], []]);
  expect(await ask(server, '{ viewer { notifications { nodes { id } } } }', AUTHOR)).toEqual({
    viewer: { notifications: { nodes: [] } },
  });
});

describe('a fan-out that begins after its tweet was deleted', () => {
  const timelineOf = (who: string) =>
    ask(server, '{ viewer { timeline { nodes { tweetId } } } }', who).then((data) => {
      const { viewer } = data as { viewer: { timeline: { nodes: readonly { tweetId: string }[] } } };
      return viewer.timeline.nodes.map(({ tweetId }) => tweetId);
    });
  /** Posts a tweet, deletes it, and fans it out as if nothing had happened since it was stored. */
  const fanOutDeleted = async (isNew: boolean) => {
    const { id, tweetId } = await post(server, AUTHOR, { content: 'deleted before it is fanned out' });
    const justStored = await readTweet(tweetId);
    await act(server, AUTHOR, 'deleteTweet', { id });
    await server.writeServices.outbox.idle();
    const [authorCounts = null] = await readMany(server.database, userCounts.get, [{ userId: AUTHOR }]);
    const asked: string[] = [];
    const database: typeof server.database = {
      ...server.database,
      read(cql, params, routingKey) {
        if (cql.includes('FROM tweets ')) asked.push(cql);
        return server.database.read(cql, params, routingKey);
      },
    };
    const isThere = await fanOut({ ...server.writeServices, database }, tweetId, taskRun(), {
      tweet: justStored,
      authorCounts,
      isNew,
    });
    return { isThere, isRead: asked.length > 0 };
  };

  test('does not read it for those who followed long before, from whose timelines it was removed', async () => {
    expect(await fanOutDeleted(true)).toEqual({ isThere: true, isRead: false });
    expect(await timelineOf(FOLLOWER)).toEqual([]);
  });

  test('reads it if an earlier call may have stored it', async () => {
    expect(await fanOutDeleted(false)).toEqual({ isThere: false, isRead: true });
  });

  test('reads it if somebody has followed since, who gets nothing', async () => {
    const followed = act(server, OTHER, 'followUser', { id: encodeNodeId('User', AUTHOR) });
    await followed;
    await server.writeServices.outbox.idle();
    expect(await fanOutDeleted(true)).toEqual({ isThere: false, isRead: true });
    expect(await Promise.all([FOLLOWER, OTHER].map(timelineOf))).toEqual([[], []]);
  });
});
