import { createBulkWriter } from '../src/kit/writes/bulk';
import type { Database, Write } from '../src/kit/cassandra/database';
import { setFollowing } from '../src/write/follow/set-following';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { fanOut } from '../src/write/timeline/fan-out';
import { readMode } from '../src/write/timeline/fan-out-mode';
import { relationTo } from '../src/features/follow/relation';
import { createLoad } from '../src/kit/reads/load';
import { collect } from '../src/kit/lists/connection';
import { openTimeline } from '../src/features/timeline/timeline';
import { FROM_THE_BEGINNING } from '../src/write/resumable-walk';
import { removeAuthorFromTimeline } from '../src/write/timeline/timeline-follow';
import { timelinesByUser } from '../src/features/timeline/timeline.lists';
import type { WriteServices } from '../src/write/write-services';
import { follow, person, startHarness, tweet, type Harness } from './support/harness';
import { act, ask, post } from './support/mutations';
import { taskRun } from './support/task-run';

// Above two followers an author is pulled. The author has two, so that one more or less changes how its tweets come.
let [READER, AUTHOR, ONE, TWO, THREE, FOUR] = ['', '', '', '', '', ''];
const TWEETS = 30;
let server: Harness;
let stories = 0;
/** The oldest tweet of the author. */
let oldest = '';
beforeAll(async () => {
  server = await startHarness({ FANOUT_PUSH_LIMIT: '2' });
});
beforeEach(async () => {
  const base = ++stories * 10_000;
  [READER, AUTHOR, ONE, TWO, THREE, FOUR] = [1, 2, 3, 4, 5, 6].map((n) => String(base + n)) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  oldest = String(base + 1000);
  await server.store([
    ...[READER, AUTHOR, ONE, TWO, THREE, FOUR].map((userId) => person(userId, `user${userId}`)),
    ...[ONE, TWO].map((userId) => follow(userId, AUTHOR)),
    ...Array.from({ length: TWEETS }, (_, n) => tweet(String(base + 1000 + n), AUTHOR, n)),
  ]);
});
afterAll(() => server.close());

const idle = () => server.writeServices.outbox.idle();
const mode = async () => (await readMode(server.writeServices, AUTHOR)).mode;
async function follows(who: string, name: 'followUser' | 'unfollowUser') {
  await act(server, who, name, { id: encodeNodeId('User', AUTHOR) });
  await idle();
}
/** Brings the author above the push limit, or back below. */
async function pull() {
  for (const who of [THREE, FOUR]) await follows(who, 'followUser');
  expect(await mode()).toBe('pull');
}
async function push() {
  for (const who of [ONE, TWO, THREE, FOUR]) await follows(who, 'unfollowUser');
  expect(await mode()).toBe('push');
}
async function timeline(who: string): Promise<readonly string[]> {
  const data = await ask(
    server,
    `{ user(username: "user${who}") { timeline(first: 100) { nodes { tweetId } } } }`,
  );
  return (data as { user: { timeline: { nodes: { tweetId: string }[] } } }).user.timeline.nodes.map(
    ({ tweetId }) => tweetId,
  );
}
/** What stands in a reader's timeline, also where it is hidden. */
async function stored(who: string): Promise<number> {
  const rows = await server.database.run('SELECT user_id, tweet_id FROM timelines_by_user');
  return rows.filter((row) => row['tweet_id'] !== null && String(row['user_id']) === who).length;
}
/** Unfollows; resolves to how many tombstones that writes into timelines. */
async function tombstonesOfUnfollowing(who: string): Promise<number> {
  const written: Write[] = [];
  const database: Database = {
    ...server.database,
    batch(writes, options) {
      written.push(...writes);
      return server.database.batch(writes, options);
    },
  };
  const writeServices: WriteServices = { ...server.writeServices, bulk: createBulkWriter(database) };
  await setFollowing(writeServices, who, AUTHOR, false);
  await idle();
  expect(await server.database.run('SELECT * FROM pulled_by_user WHERE user_id = ?', [who])).toEqual([]);
  return written.filter(({ query }) => query === timelinesByUser.removeAt).length;
}

/** Unfollows on a server that is cut off: that hides the author, and the tombstones are left to others. */
async function unfollowByHalf(who: string): Promise<void> {
  const outbox = {
    ...server.writeServices.outbox,
    runInBackground: () => undefined,
    enqueueAndRun: <T>(_kind: string, _payload: object, doIt: () => Promise<T>) => doIt(),
  };
  await setFollowing({ ...server.writeServices, outbox }, who, AUTHOR, false);
}

test('unfollowing an author who was pulled all the time writes no tombstones, and what was there is gone', async () => {
  await pull();
  for (let n = 0; n < 2; n++) {
    await follows(READER, 'followUser');
    expect(await timeline(READER)).toHaveLength(TWEETS + n);
    await post(server, AUTHOR, { content: 'seen by all' });
    await idle();
    expect(await timeline(READER)).toHaveLength(TWEETS + 1 + n);
    expect(await tombstonesOfUnfollowing(READER)).toBe(0);
    expect(await timeline(READER)).toEqual([]);
    expect(await stored(READER)).toBe(0);
  }
});

test('unfollowing an author who was pushed before takes out what was pushed', async () => {
  await follows(READER, 'followUser');
  await pull();
  expect(await stored(READER)).toBe(TWEETS);
  expect(await tombstonesOfUnfollowing(READER)).toBe(TWEETS);
  expect([await timeline(READER), await stored(READER)]).toEqual([[], 0]);
});

test('unfollowing an author who was pulled, then pushed, then pulled again takes out what was pushed', async () => {
  await pull();
  await follows(READER, 'followUser');
  expect(await stored(READER)).toBe(0);
  await push();
  expect(await stored(READER)).toBe(TWEETS);
  for (const who of [ONE, TWO]) await follows(who, 'followUser');
  await pull();
  expect(await tombstonesOfUnfollowing(READER)).toBe(TWEETS);
  expect([await timeline(READER), await stored(READER)]).toEqual([[], 0]);
});

test('who follows again before an unfollowing is over has what was pushed before taken out by the next one', async () => {
  await follows(READER, 'followUser');
  await pull();
  await unfollowByHalf(READER);
  expect(await stored(READER)).toBe(TWEETS);
  await follows(READER, 'followUser');
  expect(await tombstonesOfUnfollowing(READER)).toBe(TWEETS);
  expect([await timeline(READER), await stored(READER)]).toEqual([[], 0]);
});

test.each([false, true])(
  'a page that is read while an unfollowing ends does not show the author (known to be merged: %s)',
  async (isKnown) => {
    await follows(READER, 'followUser');
    await unfollowByHalf(READER);
    let isOver = false;
    const database: Database = {
      ...server.database,
      async read(cql, params, routingKey) {
        const rows = await server.database.read(cql, params, routingKey);
        // After the first read, whichever it is: the tweets are removed, and then the row that hid them.
        if (/FROM (timelines_by_user|pulled_by_user)/.test(cql) && !isOver) {
          isOver = true;
          const relation = await relationTo(createLoad(server.database), READER, AUTHOR);
          await removeAuthorFromTimeline(server.writeServices, READER, AUTHOR, relation, FROM_THE_BEGINNING);
        }
        return rows;
      },
    };
    const merged = new Map(isKnown ? [[READER, true]] : []);
    const list = openTimeline(createLoad(database), READER, null, merged);
    const { rows } = await collect(list, { limit: 10, backwards: false, from: null });
    expect([isOver, rows]).toEqual([true, []]);
    expect(merged.has(READER)).toBe(true);
  },
);

test('a fan-out that began while the author was pushed pushes to nobody who follows since the author is pulled', async () => {
  // Somebody who follows since this month: else the fan-out looks into no list in which the reader could be.
  await follows(ONE, 'unfollowUser');
  await follows(THREE, 'followUser');
  let isChanged = false;
  const database: Database = {
    ...server.database,
    async read(cql, params, routingKey) {
      // Between the mode and the followers: everything changes.
      if (/FROM followers_by_user/.test(cql) && !isChanged) {
        isChanged = true;
        for (const who of [ONE, FOUR, READER]) await follows(who, 'followUser');
        expect(await mode()).toBe('pull');
      }
      return server.database.read(cql, params, routingKey);
    },
  };
  await fanOut({ ...server.writeServices, database }, oldest, taskRun());
  expect(isChanged).toBe(true);
  expect(await stored(READER)).toBe(0);
  expect(await timeline(READER)).toHaveLength(TWEETS);
});

test('a fan-out that is overtaken by changes of mode still comes to all who follow while the author is pushed', async () => {
  let changes = 0;
  const database: Database = {
    ...server.database,
    async read(cql, params, routingKey) {
      if (/FROM followers_by_user/.test(cql) && changes++ === 0) {
        await pull();
        for (const who of [TWO, THREE, FOUR]) await follows(who, 'unfollowUser');
        expect(await mode()).toBe('push');
        await server.database.run('TRUNCATE timelines_by_user');
      }
      return server.database.read(cql, params, routingKey);
    },
  };
  await fanOut({ ...server.writeServices, database }, oldest, taskRun());
  expect(changes).toBeGreaterThan(1);
  expect(await timeline(ONE)).toEqual([oldest]);
});
