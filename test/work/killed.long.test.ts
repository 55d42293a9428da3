import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tables } from '../../src/app';
import { accountDeletions } from '../../src/features/account/account.table';
import { followersByUser } from '../../src/features/follow/follow.lists';
import { findId, keepingIds } from '../../src/jobs/find-id';
import { recount } from '../../src/jobs/recount';
import { freePorts } from '../../src/tools/embedded/ports';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { createLoad } from '../../src/kit/reads/load';
import { writeOf } from '../../src/kit/cassandra/write';
import { userCounts } from '../../src/features/user/user.table';
import { usersByIdentity } from '../../src/features/viewer/viewer.table';
import { OWN_ISSUER } from '../../src/features/viewer/token';
import { Server } from '../crash/server';
import {
  authorization,
  JWT_AUDIENCE,
  JWT_SECRET,
  person,
  startHarness,
  type Harness,
} from '../support/harness';
import { mutations } from '../support/mutations';
import { describeWithNats, startNatsServer, type NatsServer } from '../nats/nats-server';
import '../support/long';

const FOLLOWERS = 12_000;

let database: Harness;
const servers: Server[] = [];
beforeAll(async () => {
  database = await startHarness({}, undefined, { held: true });
  await database.store([person('1', 'author'), person('3', 'reader'), person('4', 'leaver')]);
  const bulk = database.writeServices.bulk();
  for (const id of ['1', '3', '4'])
    await bulk.put(writeOf(usersByIdentity, { issuer: OWN_ISSUER, subject: id, userId: id }));
  await bulk.flush();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill()));
});
afterAll(() => database.close());

function settingsWith(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    CASSANDRA_KEYSPACE: database.config.cassandra.keyspace,
    FANOUT_PUSH_LIMIT: '100000',
    JWT_SECRET,
    JWT_AUDIENCE,
    ...environment,
  };
}

/** Starts servers in processes of their own. */
async function start(environment: NodeJS.ProcessEnv): Promise<Server[]> {
  const { native, storage } = await freePorts(['127.0.0.1']);
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-killed-'));
  const program = [join(__dirname, '../support/run.cjs'), 'src/main.ts'];
  for (const [index, port] of [native, storage].entries()) {
    const name = String(index);
    const onEnd = (violation: Error) => {
      throw violation;
    };
    servers.push(new Server({ name, programs: [program], port, log: join(folder, `${name}.log`), onEnd }));
  }
  const settings = settingsWith(environment);
  await Promise.all(servers.map((server) => server.start(settings)));
  // Each has seen the other.
  await sleep(1000);
  return servers;
}

/** Sends a mutation as a user. Resolves to its data. */
async function send(
  { url }: Server,
  who: string,
  name: keyof typeof mutations,
  variables: object,
): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: await authorization(who) },
    body: JSON.stringify({ query: mutations[name], variables }),
  });
  const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

async function postTo(server: Server): Promise<string> {
  const data = await send(server, '1', 'createTweet', { input: { content: 'to all' } });
  return (data as { createTweet: { tweet: { tweetId: string } } }).createTweet.tweet.tweetId;
}

/** The ids of those who have a tweet in their timeline. */
async function reachedBy(tweetId: string): Promise<Set<string>> {
  const reached = new Set<string>();
  const rows = database.database.stream('SELECT user_id, tweet_id FROM timelines_by_user', []);
  for await (const row of rows) {
    const { user_id: userId, tweet_id: of } = row as Record<string, unknown>;
    if (String(of) === tweetId) reached.add(String(userId));
  }
  return reached;
}

/** Lets user 4 do something with all that user 3 posts, and user 3 something with what user 4 posts. Resolves to the tweets of user 3. */
async function liveTogether(server: Server): Promise<string[]> {
  const posted = async (who: string, input: object) => {
    const data = await send(server, who, 'createTweet', { input });
    return (data as { createTweet: { tweet: { id: string } } }).createTweet.tweet.id;
  };
  await send(server, '4', 'followUser', { id: encodeNodeId('User', '3') });
  await send(server, '3', 'followUser', { id: encodeNodeId('User', '4') });
  const others: string[] = [];
  for (let n = 0; n < 4; n++)
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const id = await posted('3', { content: 'stays' });
        others.push(id);
        await send(server, '4', 'likeTweet', { id });
        const reply = await posted('4', { content: 'goes', inReplyTo: id });
        await send(server, '3', 'likeTweet', { id: reply });
      }),
    );
  return others;
}

/** What everybody sees of users 3 and 4. */
async function shown() {
  const { data } = await database.query(
    '{ user(username: "reader") { followerCount followingCount tweetCount } leaver: user(username: "leaver") { name } }',
  );
  return data as { readonly user: { readonly tweetCount: number }; readonly leaver: object | null };
}

test('the deletion of an account goes on when its server is killed in the middle; nothing is left, and counts are exact', async () => {
  const unlimited = { RATE_POINTS_PER_MINUTE: '0', RATE_MUTATIONS_PER_MINUTE: '0', RATE_PAIR_PER_HOUR: '0' };
  const quotas = { QUOTA_POSTS_PER_HOUR: '0', QUOTA_BYTES_PER_DAY: '0', QUOTA_DELETIONS_PER_HOUR: '0' };
  const environment = { ACCOUNT_DELETION_DAYS: '0', ...unlimited, ...quotas };
  const [one, other] = await start(environment);
  if (one === undefined || other === undefined) throw new Error('there must be two servers');
  const before = await shown();
  const others = await liveTogether(one);
  const { outbox } = database.writeServices;
  while ((await outbox.pending()).length > 0) await sleep(100);
  // So that it is this one that deletes.
  await other.kill();
  await send(one, '4', 'deleteAccount', { confirm: 'leaver' });
  const counts = async () => createLoad(database.database)(userCounts.get, { userId: '4' });
  const checkpoint = async () => (await outbox.pendingOf(['deleteAccount'])).at(0)?.checkpoint ?? null;
  while ((await checkpoint()) === null) await sleep(10);
  await one.kill();
  // It was in the middle: something is left to do.
  expect(await counts()).not.toBeNull();
  const deletion = () => createLoad(database.database)(accountDeletions.get, { userId: '4' });
  expect(await deletion()).toMatchObject({ state: 'started' });
  await other.start(settingsWith(environment));
  while ((await deletion()) !== null) await sleep(200);
  while ((await outbox.pending()).length > 0) await sleep(100);
  const left = [];
  for await (const { table, examples } of findId(database.database, tables, { type: 'User', id: '4' }))
    if (examples.length > 0 && keepingIds[table] === undefined) left.push(`${table}: ${examples.join('; ')}`);
  expect(left).toEqual([]);
  const wrong = [];
  for await (const difference of recount(database.database, () => undefined))
    if (difference.id !== '1') wrong.push(difference);
  expect(wrong).toEqual([]);
  expect(await shown()).toEqual({
    user: { ...before.user, tweetCount: before.user.tweetCount + others.length },
    leaver: null,
  });
  for (let n = 0; n < others.length; n += 100) {
    const { data: found } = await database.query(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Tweet { likeCount replyCount } } }',
      { ids: others.slice(n, n + 100) },
    );
    const { nodes } = found as { nodes: object[] };
    expect(nodes).toEqual(nodes.map(() => ({ likeCount: 0, replyCount: 0 })));
  }
});

/** Kills the server that posted as soon as some timelines have the tweet, and checks what the other one makes of it. */
async function killInTheMiddle(environment: NodeJS.ProcessEnv): Promise<void> {
  const [one] = await start(environment);
  if (one === undefined) throw new Error('there must be a server');
  const { outbox } = database.writeServices;
  const before = await createLoad(database.database)(userCounts.get, { userId: '1' });
  const tweetId = await postTo(one);
  while ((await reachedBy(tweetId)).size === 0) await sleep(5);
  await one.kill();
  const killedAt = performance.now();
  const left = await outbox.pending();
  expect(left.length).toBeGreaterThan(0);
  while ((await outbox.pending()).length > 0) await sleep(100);
  const seconds = (performance.now() - killedAt) / 1000;
  process.stderr.write(`nothing was left to do ${seconds.toFixed(1)} s after the kill\n`);
  expect((await reachedBy(tweetId)).size).toBe(FOLLOWERS);
  const after = await createLoad(database.database)(userCounts.get, { userId: '1' });
  expect((after?.tweets ?? 0) - (before?.tweets ?? 0)).toBe(1);
}

describe('of a user with many followers', () => {
  // After the deletion, which looks through all rows.
  beforeAll(async () => {
    const bulk = database.writeServices.bulk();
    for (let n = 0; n < FOLLOWERS; n++) {
      const followedAt = new Date(Date.UTC(2026, 0, 1) + n);
      await bulk.put(writeOf(followersByUser, { userId: '1', followedAt, followerId: String(1000 + n) }));
    }
    await bulk.put(writeOf(userCounts, { userId: '1', importedFollowers: FOLLOWERS }));
    await bulk.flush();
  });

  test('without NATS, a fan-out goes on when its server is killed in the middle', async () => {
    await killInTheMiddle({});
  });

  describeWithNats('With NATS', () => {
    let nats: NatsServer;
    beforeAll(async () => {
      nats = await startNatsServer();
    });
    afterAll(() => nats.stop());

    test('a fan-out goes on when its server is killed in the middle', async () => {
      await killInTheMiddle({ NATS_URL: nats.url });
    });
  });
});
