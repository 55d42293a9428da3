import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoad } from '../src/kit/reads/load';
import { createBulkWriter } from '../src/kit/writes/bulk';
import { partOf } from '../src/kit/postings/part';
import { addEntries } from '../src/kit/postings/unsealed';
import { putAll } from '../src/kit/writes/row-writer';
import { createTweetIndexes, TWEETS } from '../src/features/search/tweet-index';
import { elapsedSince, takeMoment } from '../src/kit/base/elapsed';
import { writeOf } from '../src/kit/cassandra/write';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { usersByIdentity } from '../src/features/viewer/viewer.table';
import { OWN_ISSUER } from '../src/features/viewer/token';
import {
  authorization,
  follow,
  JWT_AUDIENCE,
  JWT_SECRET,
  person,
  startHarness,
  type Harness,
} from './support/harness';
import { mutations, type Mutation } from './support/mutations';
import { settled } from './support/settled';
import { startProxy, type Proxy } from './support/proxy';

const root = join(__dirname, '..');

/** A module that sets the wall clock of a process: by `CLOCK_AHEAD_MS`, then by each message. What others measure time with stays. */
const SETS_CLOCK = `
  let ahead = Number(process.env.CLOCK_AHEAD_MS);
  const Real = Date;
  const now = () => Real.now() + ahead;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
  process.on('message', (set) => (ahead = set));
  process.channel?.unref();`;

let server: Harness;
let proxy: Proxy;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  server = await startHarness();
  proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await proxy.close();
});

/** Starts a program of the sources whose clock is ahead by some milliseconds, and whose statements the proxy sees. */
function start(aheadMs: number, program: readonly string[], settings: NodeJS.ProcessEnv = {}): ChildProcess {
  const preload = `data:text/javascript,${encodeURIComponent(SETS_CLOCK)}`;
  const child = spawn(
    process.execPath,
    ['--import', preload, join(__dirname, 'support/run.cjs'), ...program],
    {
      cwd: root,
      env: {
        ...process.env,
        CASSANDRA_CONTACT_POINTS: proxy.address,
        CASSANDRA_KEYSPACE: server.config.cassandra.keyspace,
        CLOCK_AHEAD_MS: String(aheadMs),
        LOG_LEVEL: 'fatal',
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function freePort(): Promise<number> {
  const listening = createServer().listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  listening.close();
  await once(listening, 'close');
  return port;
}

/** What was sent since, except for what only reads. */
const writesAfter = (count: number) => proxy.sent.slice(count).filter((query) => !query.startsWith('SELECT'));

describe('a server whose clock is 150 s behind', () => {
  let url: string;
  let child: ChildProcess;
  const health = async () => {
    const answer = await fetch(`${url}/health/ready`).catch(() => null);
    return answer && { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const untilHealth = async (status: number, writes?: boolean) => {
    for (;;) {
      const found = await health();
      if (found?.status === status && found.body['writes'] === writes) return found.body;
      await sleep(50);
    }
  };
  let made = 0;
  /** Makes a user, as a service does. */
  const makeUser = async () => {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: await authorization('service') },
      body: JSON.stringify({
        query: `mutation { createUser(input: { username: "user${made++}", name: "x" }) { user { name } } }`,
      }),
    });
    return (await answer.json()) as {
      data?: unknown;
      errors?: { message: string; extensions: { code: string } }[];
    };
  };

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    child = start(-150_000, ['src/main.ts'], {
      PORT: String(port),
      JWT_SECRET: server.config.jwt.secret ?? '',
      JWT_AUDIENCE,
      SEAL_AFTER_SECONDS: '0',
      GRAPHIQL: 'false',
    });
  });
  afterAll(async () => {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  });

  test('is not ready, says why, answers queries, and writes nothing', async () => {
    const before = proxy.sent.length;
    expect(await untilHealth(503)).toEqual({
      status: 'unavailable',
      clock: expect.stringMatching(
        /^The clock of this machine is (149\.\d|150\.\d) s behind Cassandra's/,
      ) as string,
    });
    const refused = await makeUser();
    expect(refused.errors).toMatchObject([
      {
        message: expect.stringContaining('s behind Cassandra') as string,
        extensions: { code: 'UNAVAILABLE' },
      },
    ]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^murmuration_clock_ahead_seconds -1(49|50)\./m);
    // Meanwhile it would have renewed its lease, written that it is alive, sealed entries and taken rankings.
    await sleep(5_000);
    expect(writesAfter(before)).toEqual([]);
  });

  test('is ready as soon as its clock is right, and then writes', async () => {
    child.send(0);
    await untilHealth(200, true);
    expect((await makeUser()).errors).toBeUndefined();
  });

  test.each([8000, -8000, -40_000])(
    'writes nothing from the moment when its clock is set wrong by %d ms',
    async (ahead) => {
      child.send(ahead);
      await untilHealth(503);
      // What was sent before may still have been under way.
      await sleep(200);
      const before = proxy.sent.length;
      expect((await makeUser()).errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
      await sleep(1500);
      expect(writesAfter(before)).toEqual([]);
      child.send(4000);
      await untilHealth(200, true);
      // For a clock that jumps forward, the lease soon ends. It is renewed every four seconds.
      let answer = await makeUser();
      while (answer.errors !== undefined) answer = await makeUser();
      expect(answer.data).toEqual({ createUser: { user: { name: 'x' } } });
    },
  );
});

describe('a command whose clock is 60 s ahead', () => {
  // All commands that write find their database in one way, see command.unit.test.ts.
  test.each([
    ['import', ['users.ndjson']],
    ['rebuild', ['profiles_by_username']],
  ])('%s writes nothing, says why and fails', async (name, given) => {
    const folder = await mkdtemp(join(tmpdir(), 'clock-'));
    const file = join(folder, 'users.ndjson');
    await writeFile(
      file,
      '{"id_str":"2","screen_name":"bo","name":"Bo","created_at":"2020-01-01T00:00:00Z"}\n',
    );
    const args = given.map((word) => (word === 'users.ndjson' ? file : word));
    const before = proxy.sent.length;
    const child = start(60_000, [`src/commands/${name}.ts`, ...args]);
    const [exit, said] = await Promise.all([once(child, 'exit'), text(child.stderr ?? Readable.from([]))]);
    expect(said).toMatch(/The clock of this machine is (59|60)\.\d s ahead of Cassandra's/);
    expect(exit).toEqual([2, null]);
    expect(writesAfter(before)).toEqual([]);
  });
});

test('a server that is suspended while it seals, and goes on when another one has sealed since, changes nothing', async () => {
  const { database } = server;
  const { newest } = createTweetIndexes(database);
  const sealing = { afterMs: 0, ageMs: 0 };
  const addAgain = (term: string) =>
    addEntries(newest, [{ rank: 0, id: '1', terms: [term] }], (writes) =>
      putAll(createBulkWriter(database)(), writes),
    );
  await newest.update();
  await addAgain('former');
  // It has read the entries, and stores the segment that it then commits.
  proxy.hold(/^BATCH$/);
  const suspended = start(0, ['test/exact/maintain-index.ts', TWEETS]);
  const said = text(suspended.stderr ?? Readable.from([]));
  await proxy.held(1);
  suspended.kill('SIGSTOP');
  proxy.release();
  await database.run('UPDATE leases SET holder = null WHERE name = ? IF EXISTS', [partOf(newest.list).lease]);
  expect(await newest.maintain(sealing)).toBe(1);
  await addAgain('new');
  expect(await newest.maintain(sealing)).toBe(1);
  const exit = once(suspended, 'exit');
  suspended.kill('SIGCONT');
  expect(await exit).not.toEqual([0, null]);
  expect(await said).toContain('others must not maintain the list tweets meanwhile, but have');
  const found = async (term: string) => {
    const slice = { reversed: false, limit: 2 };
    const untested = { left: 0, test: () => Promise.resolve([]) };
    return (await createTweetIndexes(database).newest.find(createLoad(database), [term], slice, untested))
      .rows;
  };
  expect(await found('former')).toEqual([]);
  expect(await found('new')).toEqual([{ rank: 0, id: '1' }]);
});

describe('a server that is suspended after it decided, and goes on when others have taken its tasks over', () => {
  const [author, reader, other] = ['11', '12', '13'];
  const authorId = encodeNodeId('User', author);
  const state = `{
    author: user(username: "author") { followerCount tweetCount followers { nodes { userId } } tweets { nodes { id content } } }
    reader: user(username: "reader") {
      followingCount following { nodes { userId } } timeline { nodes { content } }
    }
    other: user(username: "other") { timeline { nodes { content } } }
    hashtag(name: "x") { tweets { nodes { content } } }
  }`;
  const stateNow = async () => (await server.query(state)).data;
  let suspended: ChildProcess;
  let url: string;
  const ask = async (who: string, name: Mutation, variables: object) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: await authorization(who) },
      body: JSON.stringify({ query: mutations[name], variables }),
    });
    return response.json();
  };

  beforeAll(async () => {
    await server.store([
      ...[person(author, 'author'), person(reader, 'reader'), person(other, 'other')],
      follow(other, author),
    ]);
    const known = [author, reader].map((id) =>
      writeOf(usersByIdentity, { issuer: OWN_ISSUER, subject: id, userId: id }),
    );
    await putAll(createBulkWriter(server.database)(), known);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    suspended = start(0, ['src/main.ts'], {
      ...{ PORT: String(port), JWT_SECRET, JWT_AUDIENCE, GRAPHIQL: 'false' },
      ...{ LIMIT_MILLISECONDS: '60000', RANKINGS_EVERY_MINUTES: '0' },
    });
    while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) await sleep(50);
    // What is written once, such as windows and shares of quotas, is there then.
    for (const name of ['followUser', 'unfollowUser'] as const) await ask(reader, name, { id: authorId });
    await ask(author, 'createTweet', { input: { content: 'before #x' } });
    await settled(server);
  });

  test('changes nothing that they did', async () => {
    // The decision of each: a lightweight transaction, and the rows of the tweet.
    proxy.hold(/^UPDATE relations/);
    const following = ask(reader, 'followUser', { id: authorId });
    await proxy.held(1);
    proxy.hold('suspended #x');
    const posting = ask(author, 'createTweet', { input: { content: 'suspended #x' } });
    await proxy.held(2);
    suspended.kill('SIGSTOP');
    const stoppedAt = takeMoment();
    proxy.release();
    await settled(server);
    const taken = (await stateNow()) as { author: { tweets: { nodes: { id: string }[] } } };
    expect(taken).toMatchObject({
      author: { followerCount: 2, tweetCount: 2 },
      reader: { followingCount: 1, timeline: { nodes: [{ content: 'suspended #x' }, {}] } },
      other: { timeline: { nodes: [{ content: 'suspended #x' }, { content: 'before #x' }] } },
    });
    const posted = taken.author.tweets.nodes[0]?.id ?? '';
    const taking = [
      [reader, 'unfollowUser', authorId],
      [author, 'deleteTweet', posted],
    ] as const;
    for (const [who, name, id] of taking)
      expect((await server.query(mutations[name], { id }, who)).errors).toEqual([]);
    await settled(server);
    const undone = await stateNow();
    expect(undone).toMatchObject({
      author: { followerCount: 1, tweetCount: 1, followers: { nodes: [{ userId: other }] } },
      reader: { followingCount: 0, following: { nodes: [] }, timeline: { nodes: [] } },
      other: { timeline: { nodes: [{ content: 'before #x' }] } },
      hashtag: { tweets: { nodes: [{ content: 'before #x' }] } },
    });
    // The answers to its decisions have then come too late for the driver.
    while (elapsedSince(stoppedAt) < 12_000) await sleep(100);
    suspended.kill('SIGCONT');
    await Promise.all([following, posting]);
    await settled(server);
    // What is left is no task of the database.
    await sleep(1000);
    expect(await stateNow()).toEqual(undone);
  });
});
