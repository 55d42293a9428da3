import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { randomFrom } from '../src/demo/network';
import { followersByUser } from '../src/follow/follow.table';
import { takeLease } from '../src/kit/data/lease';
import { buckets, EVERYBODY, monthOf } from '../src/kit/data/buckets';
import { encodeNodeId } from '../src/kit/relay/node';
import { writeOf } from '../src/kit/data/write';
import { rankings } from '../src/ranking/ranking.table';
import { parseRun, type RankingRun } from '../src/jobs/rankings/run';
import { scheduleRankings } from '../src/jobs/rankings/schedule';
import { RANKINGS, takeRankings } from '../src/jobs/rankings/take-rankings';
import { topUserRowsOf } from '../src/write/user/user-counts';
import { userCounts } from '../src/user/user.table';
import { follow, person, startHarness, type Harness } from './harness';
import { send } from './mutations';

interface Shown {
  readonly takenAt: string;
  readonly entries: readonly { rank: number; score: number; user: { username: string } }[];
}
const RANKING = '{ takenAt entries { rank score user { username } } }';

/** Takes rankings in this process, when nobody else does; tells how far it was when it went on. */
async function take({ database }: Harness): Promise<RankingRun & { readonly from: number }> {
  let lease = await takeLease(database, RANKINGS);
  for (; lease === null; lease = await takeLease(database, RANKINGS)) await sleep(100);
  let from: number | undefined;
  const onProgress = (done: number) => (from ??= done);
  try {
    const run = await takeRankings({ database, onProgress }, lease);
    return { ...run, from: from ?? 0 };
  } finally {
    await lease.release();
  }
}

/** Both rankings as a server shows them. */
async function shownBy(
  server: Harness,
  at?: Date,
): Promise<[accounts: Shown | null, followers: Shown | null]> {
  const given = at ? `(at: "${at.toISOString()}")` : '';
  const { data, errors } = await server.query(
    `{ topAccounts${given} ${RANKING} topFollowers${given} ${RANKING} }`,
  );
  expect(errors).toEqual([]);
  const { topAccounts, topFollowers } = data as Record<'topAccounts' | 'topFollowers', Shown | null>;
  return [topAccounts, topFollowers];
}

/** The rankings of some follows, `[follower, followee]` by name, counted one by one. */
function countedFrom(follows: Iterable<readonly [string, string]>): Shown['entries'][] {
  const all = [...follows];
  const best = (names: readonly string[]) => {
    const scores = new Map<string, number>();
    for (const name of names) scores.set(name, (scores.get(name) ?? 0) + 1);
    return [...scores]
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
      .slice(0, 100)
      .map(([username, score], place) => ({ rank: place + 1, score, user: { username } }));
  };
  const accounts = best(all.map(([, followee]) => followee));
  const names = new Set(accounts.map(({ user }) => user.username));
  return [accounts, best(all.flatMap(([follower, followee]) => (names.has(followee) ? follower : [])))];
}

// One server for all, emptied between; that in which people act comes last.
let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

describe('of many months', () => {
  const COUNT = 60;
  /** The nth moment, newest first: 11 days apart. */
  const momentOf = (n: number) => new Date(Date.UTC(2026, 5, 1) - n * 11 * 86_400_000);
  beforeAll(async () => {
    await server.store([person('1', 'ada')]);
    for (let n = 0; n < COUNT; n++) {
      const [takenAt, bucket] = [momentOf(n), monthOf(momentOf(n))];
      const row = { bucket, takenAt, accounts: ['1', '2'], accountScores: [n + 1, n] };
      const month = { owner: EVERYBODY, list: rankings.name, bucket };
      for (const { query, params } of [writeOf(buckets, month), writeOf(rankings, row)])
        await server.database.write(query, params);
    }
  });

  interface Page {
    readonly edges: readonly { readonly cursor: string; readonly node: { readonly takenAt: string } }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly endCursor: string;
    };
  }
  async function page(from: Date, to: Date, more: string): Promise<Page> {
    const period = `from: "${from.toISOString()}", to: "${to.toISOString()}"`;
    const { data, errors } = await server.query(
      `{ rankings(kind: TOP_ACCOUNTS, ${period}, ${more}) { edges { cursor node { takenAt } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
    );
    expect(errors).toEqual([]);
    return (data as { rankings: Page }).rankings;
  }

  test.each([
    [0, COUNT - 1, 7],
    [3, 40, 5],
    [10, 11, 1],
    [20, 20, 3],
  ])(
    'pages of those before the %dth down to the %dth, joined, are all of them',
    async (newest, oldest, first) => {
      // Without the end of the period, and with its beginning.
      const [from, to] = [momentOf(oldest), momentOf(newest)];
      const joined: string[] = [];
      for (let after = ''; ;) {
        const { edges, pageInfo } = await page(from, to, `first: ${first}${after}`);
        expect(pageInfo.hasPreviousPage).toBe(after !== '');
        joined.push(...edges.map(({ node }) => node.takenAt));
        if (!pageInfo.hasNextPage) break;
        expect(edges).toHaveLength(first);
        after = `, after: "${pageInfo.endCursor}"`;
      }
      const expected = Array.from({ length: oldest - newest }, (_, n) =>
        momentOf(newest + 1 + n).toISOString(),
      );
      expect(joined).toEqual(expected);
    },
  );

  test('one of an earlier month is found where the month has none yet', async () => {
    const at = new Date(Number(momentOf(20)) - 1);
    expect((await shownBy(server, at))[0]?.takenAt).toBe(momentOf(21).toISOString());
    const { reads } = await server.query('{ topAccounts(at: "2030-01-01T00:00:00Z") { takenAt } }');
    expect(reads.map(({ statement }) => statement)).toEqual([
      'rankings.page',
      'buckets.page',
      'rankings.page',
    ]);
    expect((await shownBy(server, new Date(Number(momentOf(COUNT - 1)) - 1)))[0]).toBeNull();
  });

  test('whom an import has given another id since is left out, without a gap', async () => {
    const [accounts] = await shownBy(server, momentOf(0));
    expect(accounts?.entries).toEqual([{ rank: 1, score: 1, user: { username: 'ada' } }]);
  });
});

describe('of a crowd', () => {
  const ACCOUNTS = 100;
  const PEOPLE = 900;
  const random = randomFrom(11);
  const nameOf = (n: number) => `person${n}`;
  const idOf = (n: number) => String(1000 + n);
  const bucket = monthOf(new Date('2026-01-01'));
  /** Each of the people follows some of the accounts, the later ones more of them. */
  const pairs = Array.from({ length: PEOPLE }, (_, n) =>
    Array.from({ length: ACCOUNTS }, (__, account) => [n + ACCOUNTS, account] as const).filter(
      () => random() < 0.2 + (0.6 * n) / PEOPLE,
    ),
  ).flat();
  const expected = countedFrom(pairs.map(([follower, account]) => [nameOf(follower), nameOf(account)]));
  beforeAll(async () => {
    await server.empty();
    await server.store(Array.from({ length: PEOPLE + ACCOUNTS }, (_, n) => person(idOf(n), nameOf(n))));
    const bulk = server.writeContext.bulk();
    for (const [n, [follower, account]] of pairs.entries()) {
      const followedAt = new Date(Date.UTC(2026, 0, 1) + n);
      const row = { userId: idOf(account), bucket, followedAt, followerId: idOf(follower) };
      await bulk.putBucket(followersByUser.name, idOf(account), bucket);
      await bulk.put(writeOf(followersByUser, row));
    }
    for (let account = 0; account < ACCOUNTS; account++) {
      const userId = idOf(account);
      const followerCount = pairs.filter(([, followee]) => followee === account).length;
      await bulk.put(writeOf(userCounts, { userId, followerCount }));
      for (const write of topUserRowsOf(userId, followerCount)) await bulk.put(write);
    }
    await bulk.flush();
  });

  /** Runs the job as people do, in a process of its own that has little memory. */
  function startJob(): ChildProcess {
    const program = ['--max-old-space-size=48', join(__dirname, 'run.cjs'), 'src/commands/job.ts', RANKINGS];
    return spawn(process.execPath, program, {
      cwd: join(__dirname, '..'),
      env: { ...process.env, CASSANDRA_KEYSPACE: server.config.cassandra.keyspace, LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  async function progress(): Promise<RankingRun | null> {
    const [row] = await server.database.run('SELECT progress FROM leases WHERE name = ?', [RANKINGS]);
    const text: unknown = row?.['progress'];
    return typeof text === 'string' ? parseRun(text) : null;
  }
  const snapshots = () => server.database.run('SELECT taken_at FROM rankings');

  test('what was killed in the middle is gone on with, and comes to the same end', async () => {
    const job = startJob();
    const exit = once(job, 'exit');
    let left = await progress();
    for (; left === null || left.done === 0; left = await progress()) await sleep(10);
    job.kill('SIGKILL');
    expect(await exit).toEqual([null, 'SIGKILL']);
    expect(await snapshots()).toEqual([]);

    const kept = await progress();
    const { takenAt, from } = await take(server);
    expect(takenAt).toEqual(left.takenAt);
    expect(from).toBeGreaterThan(kept?.done ?? Infinity);
    expect((await shownBy(server)).map((shown) => shown?.entries)).toEqual(expected);
    expect(await server.database.run('SELECT account FROM ranking_pairs')).toEqual([]);
  });

  test('two jobs at once take one each, or one, and neither spoils the other', async () => {
    const before = (await snapshots()).length;
    const exits = await Promise.all([startJob(), startJob()].map((job) => once(job, 'exit')));
    expect(exits).toEqual([
      [0, null],
      [0, null],
    ]);
    const all = await snapshots();
    expect([1, 2]).toContain(all.length - before);
    for (const row of all) {
      const shown = await shownBy(server, row['taken_at'] as Date);
      expect(shown.map((ranking) => ranking?.entries)).toEqual(expected);
    }
  });

  test('of two servers that take them when they are due, one does', async () => {
    await server.database.run('TRUNCATE rankings');
    const other = await startHarness({}, server);
    const schedules = [server, other].map(({ database }) =>
      scheduleRankings(database, 60, pino({ level: 'silent' })),
    );
    while ((await snapshots()).length === 0) await sleep(50);
    await sleep(1000);
    await Promise.all(schedules.map((schedule) => schedule.stop()));
    expect(await snapshots()).toHaveLength(1);
    expect((await shownBy(other)).map((shown) => shown?.entries)).toEqual(expected);
    await other.close();
  });
});

describe('of a network in which people follow and unfollow', () => {
  const PEOPLE = 170;
  const random = randomFrom(5);
  // Squared, so that some are followed by many and there are ties among the others.
  const anybody = () => Math.floor(random() * PEOPLE);
  const somebody = () => Math.floor(random() ** 2 * PEOPLE);
  const nameOf = (n: number) => (n % 3 === 0 ? `Person${n}` : `person${n}`);
  const idOf = (n: number) => String(1000 + n);
  const follows = new Map<string, readonly [string, string]>();
  const taken: { takenAt: Date; expected: Shown['entries'][] }[] = [];

  const followed = (count: number) =>
    Array.from({ length: count }, () => [anybody(), somebody()] as const).filter(([a, b]) => a !== b);
  const add = (follower: number, followee: number) =>
    follows.set(`${follower} ${followee}`, [nameOf(follower), nameOf(followee)]);
  async function imports(count: number): Promise<void> {
    const some = followed(count);
    for (const pair of some) add(...pair);
    await server.store(some.map(([follower, followee]) => follow(idOf(follower), idOf(followee))));
  }
  async function acts(count: number): Promise<void> {
    for (const [follower, followee] of followed(count)) {
      const key = `${follower} ${followee}`;
      const leaves = follows.has(key);
      if (leaves) follows.delete(key);
      else add(follower, followee);
      const id = encodeNodeId('User', idOf(followee));
      const { errors } = await send(server, idOf(follower), leaves ? 'unfollowUser' : 'followUser', { id });
      expect(errors).toEqual([]);
    }
    await server.writeContext.outbox.idle();
  }

  beforeAll(async () => {
    await server.empty();
  });

  test('there is none before the first was taken, and none has anybody when nobody follows', async () => {
    expect(await shownBy(server)).toEqual([null, null]);
    await server.store(Array.from({ length: PEOPLE }, (_, n) => person(idOf(n), nameOf(n))));
    const { takenAt } = await take(server);
    taken.push({ takenAt, expected: [[], []] });
    expect(await shownBy(server)).toEqual([
      { takenAt: takenAt.toISOString(), entries: [] },
      { takenAt: takenAt.toISOString(), entries: [] },
    ]);
  });

  test('they are what counting every follow gives, ties included', async () => {
    for (const change of [() => acts(20), () => imports(900), () => acts(60), () => imports(300)]) {
      await change();
      const { takenAt } = await take(server);
      const expected = countedFrom(follows.values());
      taken.push({ takenAt, expected });
      expect((await shownBy(server)).map((shown) => shown?.entries)).toEqual(expected);
    }
    expect(taken.at(-1)?.expected.map(({ length }) => length)).toEqual([100, 100]);
  });

  test('those of any time are the newest that were taken by then', async () => {
    for (const [place, { takenAt, expected }] of taken.entries()) {
      const next = taken[place + 1]?.takenAt ?? new Date('2100-01-01');
      for (const at of [takenAt, new Date(Number(next) - 1)]) {
        const shown = await shownBy(server, at);
        expect(shown.map((ranking) => ranking?.entries)).toEqual(expected);
        expect(shown[0]?.takenAt).toBe(takenAt.toISOString());
      }
    }
    expect(await shownBy(server, new Date(Number(taken[0]?.takenAt) - 1))).toEqual([null, null]);
  });

  test('one costs one partition, and one request for its users', async () => {
    const { reads } = await server.query(`{ topAccounts ${RANKING} }`);
    expect(reads.map(({ statement, partitions }) => [statement, partitions])).toEqual([
      ['rankings.page', 1],
      ['users.get', 100],
    ]);
    const cut = await server.query('{ topFollowers(first: 3) { entries { rank user { id } } } }');
    expect(cut.reads.map(({ statement, partitions }) => [statement, partitions])).toEqual([
      ['rankings.page', 1],
      ['users.get', 3],
    ]);
    expect((await server.query('{ topAccounts { takenAt } }')).reads).toHaveLength(1);
  });

  test('a list of them shows each whole, for one partition and one request for all users', async () => {
    const source = `{ rankings(kind: TOP_FOLLOWERS, from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z") { nodes ${RANKING} } }`;
    const { data, reads } = await server.query(source);
    const expected = taken.map(({ takenAt, expected: [, entries] }) => ({
      takenAt: takenAt.toISOString(),
      entries,
    }));
    expect(data).toEqual({ rankings: { nodes: expected.reverse() } });
    expect(reads.map(({ statement }) => statement).slice(0, 2)).toEqual(['buckets.page', 'rankings.page']);
    expect(new Set(reads.slice(2).map(({ statement }) => statement))).toEqual(new Set(['users.get']));
  });

  test('what was written down to take them is gone', async () => {
    expect(await server.database.run('SELECT account FROM ranking_pairs')).toEqual([]);
    expect(await server.database.run('SELECT progress FROM leases')).toEqual([]);
  });

  test.each([
    ['first below 1', '{ topAccounts(first: 0) { takenAt } }'],
    ['first above 100', '{ topFollowers(first: 101) { takenAt } }'],
    [
      'a period that ends before it begins',
      '{ rankings(kind: TOP_ACCOUNTS, from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z") { nodes { takenAt } } }',
    ],
    [
      'a cursor of another list',
      '{ rankings(kind: TOP_ACCOUNTS, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", after: "eA") { nodes { takenAt } } }',
    ],
  ])('%s is refused', async (_name, source) => {
    const { errors } = await server.query(source);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  });

  test('the limit on nodes counts a hundred entries for each of a list, and of one as many as are asked for', async () => {
    const entries = '{ entries { user { followers(first: 99) { nodes { id } } } } }';
    const list = `rankings(kind: TOP_ACCOUNTS, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", first: 5) { nodes ${entries} }`;
    const { errors } = await server.query(`{ ${list} }`);
    expect(errors.map(({ message }) => message)).toEqual([
      'A query may return 50000 nodes at worst, but this one could return 50005: ask for smaller pages.',
    ]);
    expect((await server.query(`{ topAccounts(first: 2) ${entries} }`)).errors).toEqual([]);
  });
});
