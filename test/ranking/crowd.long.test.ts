import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { randomFrom } from '../../src/kit/base/random';
import { followersByUser } from '../../src/features/follow/follow.lists';
import { writeOf } from '../../src/kit/cassandra/write';
import { parseRun, type RankingRun } from '../../src/jobs/rankings/run';
import { scheduleRankings } from '../../src/jobs/rankings/schedule';
import { RANKINGS } from '../../src/jobs/rankings/take-rankings';
import { buildTopUserRows } from '../../src/write/user/user-counts';
import { userCounts } from '../../src/features/user/user.table';
import { person, startHarness, type Harness } from '../support/harness';
import { countedFrom, shownBy, take } from './rankings';
import '../support/long';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

describe('of a crowd', () => {
  const ACCOUNTS = 100;
  const PEOPLE = 900;
  const random = randomFrom(11);
  const nameOf = (n: number) => `person${n}`;
  const idOf = (n: number) => String(1000 + n);
  /** Each of the people follows some of the accounts, the later ones more of them. */
  const pairs = Array.from({ length: PEOPLE }, (_, n) =>
    Array.from({ length: ACCOUNTS }, (__, account) => [n + ACCOUNTS, account] as const).filter(
      () => random() < 0.2 + (0.6 * n) / PEOPLE,
    ),
  ).flat();
  const expected = countedFrom(pairs.map(([follower, account]) => [nameOf(follower), nameOf(account)]));
  beforeAll(async () => {
    await server.store(Array.from({ length: PEOPLE + ACCOUNTS }, (_, n) => person(idOf(n), nameOf(n))));
    const bulk = server.writeServices.bulk();
    for (const [n, [follower, account]] of pairs.entries()) {
      const followedAt = new Date(Date.UTC(2026, 0, 1) + n);
      const row = { userId: idOf(account), followedAt, followerId: idOf(follower) };
      await bulk.put(writeOf(followersByUser, row));
    }
    for (let account = 0; account < ACCOUNTS; account++) {
      const userId = idOf(account);
      const followerCount = pairs.filter(([, followee]) => followee === account).length;
      await bulk.put(writeOf(userCounts, { userId, importedFollowers: followerCount }));
      for (const write of buildTopUserRows(userId, followerCount)) await bulk.put(write);
    }
    await bulk.flush();
  });

  /** Runs the job as people do, in a process of its own that has little memory. */
  function startJob(): ChildProcess {
    const program = [
      '--max-old-space-size=48',
      join(__dirname, '../support/run.cjs'),
      'src/commands/job.ts',
      RANKINGS,
    ];
    return spawn(process.execPath, program, {
      cwd: join(__dirname, '..', '..'),
      env: { ...process.env, CASSANDRA_KEYSPACE: server.config.cassandra.keyspace, LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  async function progress(): Promise<RankingRun | null> {
    const [row] = await server.database.run('SELECT checkpoint FROM leases WHERE name = ?', [RANKINGS]);
    const text: unknown = row?.['checkpoint'];
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
