import { buckets, EVERYBODY, monthOf } from '../../src/kit/lists/buckets';
import { writeOf } from '../../src/kit/cassandra/write';
import { rankings } from '../../src/features/ranking/ranking.table';
import { createRun } from '../../src/jobs/rankings/run';
import { RANKINGS, takeRankings } from '../../src/jobs/rankings/take-rankings';
import { takeLease } from '../../src/kit/writes/lease';
import { joinPages, PAGE_INFO, pageReader } from '../../src/tools/testing/testing';
import { person, startHarness, type Harness } from '../support/harness';
import { shownBy } from './rankings';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

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

  test.each([
    [0, COUNT - 1, 7],
    [3, 40, 5],
    [10, 11, 1],
    [20, 20, 3],
  ])(
    'pages of those before the %dth down to the %dth, joined, are all of them',
    async (newest, oldest, size) => {
      // Without the end of the period, and with its beginning.
      const period = `from: "${momentOf(oldest).toISOString()}", to: "${momentOf(newest).toISOString()}"`;
      const page = jest.fn(
        pageReader<{ readonly node: { readonly takenAt: string } }>(
          (source) => server.query(source),
          (args) =>
            `{ list: rankings(kind: TOP_ACCOUNTS, ${period}, ${args}) { edges { node { takenAt } } ${PAGE_INFO} } }`,
        ),
      );
      const joined = await joinPages(page, 'first', size);
      const expected = Array.from({ length: oldest - newest }, (_, n) =>
        momentOf(newest + 1 + n).toISOString(),
      );
      expect(joined.map(({ node }) => node.takenAt)).toEqual(expected);
      expect(page).toHaveBeenCalledTimes(Math.ceil(expected.length / size) || 1);
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

test('an unfinished run is continued within an hour, or until the next rankings are due, but not until its pairs expire', async () => {
  const { database } = server;
  const takenFrom = async (begun: Date, everyMs?: number) => {
    const lease = await takeLease(database, RANKINGS);
    if (lease === null) throw new Error('Nobody else must take rankings.');
    const unfinished = { ...lease, checkpoint: JSON.stringify(createRun(begun, [])) };
    const { takenAt } = await takeRankings({ database, ...(everyMs && { everyMs }) }, unfinished);
    await lease.release();
    return takenAt;
  };
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const [recent, old] = [hoursAgo(0.9), hoursAgo(5)];
  expect(await takenFrom(recent)).toEqual(recent);
  expect(await takenFrom(old, 6 * 3_600_000)).toEqual(old);
  expect(Number(await takenFrom(old))).toBeGreaterThan(Number(recent));
  expect(Number(await takenFrom(old, 4 * 3_600_000))).toBeGreaterThan(Number(recent));
  expect(Number(await takenFrom(hoursAgo(13), 24 * 3_600_000))).toBeGreaterThan(Number(recent));
});
