import { tables } from '../src/app';
import { figuresOf } from '../src/capacity/figures';
import { breaksOf, describeCapacity } from '../src/capacity/report';
import { actsPerSecond, AIM, type Workload } from '../src/capacity/workload';
import { pauseOfReaders } from '../src/kit/base/pace';

const figures = (name: string, workload: Partial<Workload>, load = 0) => {
  const table = tables.find((one) => one.name === name);
  const declared = table?.writeLoads[load];
  if (!table || !declared) throw new Error(`There must be a load of ${name}.`);
  return figuresOf(table, declared, { ...AIM, ...workload });
};
const breakOf = (name: string, what: string, workload: Partial<Workload> = {}) =>
  breaksOf(tables, { ...AIM, ...workload }).find((one) => one.name === name && one.what.startsWith(what))
    ?.from;

test('every table declares what is written to it, by acts that a workload has', () => {
  expect(tables.filter(({ writeLoads }) => writeLoads.length === 0).map(({ name }) => name)).toEqual([]);
  const acts = Object.keys(actsPerSecond(AIM));
  const named = tables.flatMap(({ writeLoads }) =>
    writeLoads.flatMap(({ rows, transactions = {} }) => [...Object.keys(rows), ...Object.keys(transactions)]),
  );
  expect([...new Set(named)].filter((act) => !acts.includes(act))).toEqual([]);
  expect(acts.filter((act) => !named.includes(act))).toEqual([]);
});

test('a table whose partition is a row has one row in each', () => {
  expect(figures('tweets', {})).toMatchObject({ rows: 1, bytes: 220, rowsPerSecond: 10_000 });
});

test('a list has as many rows as before it is split, whatever the workload', () => {
  expect(figures('timelines_by_user', {}).rows).toBe(3 * 10_000 + 10 * 10);
  expect(figures('timelines_by_user', { people: 1e10 }).rows).toBe(30_100);
});

test('a partition of a day of tweets has at most 31 MB, and gets a sixteenth of what is posted', () => {
  expect(figures('tweets_by_day', {})).toMatchObject({ rows: 156_250, writes: 625 });
  expect(figures('tweets_by_day', {}).bytes).toBeLessThan(31e6);
  expect(breakOf('tweets_by_day', 'bytes')?.count).toBeGreaterThan(500_000);
  expect(breakOf('tweets_by_day', 'rows a second')?.count).toBeCloseTo(16_000, -2);
});

test('half a minute of an eighth of the tasks of a server has 100,000 tombstones from 26,667 tasks a second on', () => {
  const from = breakOf('outbox', 'tombstones', { servers: 1 });
  const { task = 0 } = actsPerSecond({ ...AIM, tweets: from?.count ?? 0 });
  expect(Math.abs(task / 26_667 - 1)).toBeLessThan(0.002);
  expect(figures('outbox', {}).writes).toBeCloseTo((actsPerSecond(AIM)['task'] ?? 0) / 800);
});

test('however many servers there are, they sum counts and change a group of notifications at most 100 times a second', () => {
  for (const servers of [10, 100, 1000]) {
    expect(figures('tweet_frequency', { servers }).writes).toBe(500);
    expect(figures('notification_groups', { servers }).transactions).toBe(100);
  }
});

test('an index is divided as entries come faster, into sixteen parts at most', () => {
  expect(figures('unsealed_entries', { tweets: 100 })).toMatchObject({ writes: 80, rows: 48_000 });
  expect(figures('unsealed_entries', { tweets: 1000 })).toMatchObject({
    writes: 100,
    rows: 60_000,
    readRows: (100 * 6.3 * 100) / 2,
    serverRows: (6.3 * 800) / 2,
  });
  expect(breakOf('unsealed_entries (words)', 'rows a second written')?.count).toBeCloseTo(
    (16 * 1000) / 0.8,
    -2,
  );
});

test('however many servers there are, they read at most 300,000 rows of each other in a second', () => {
  expect(figures('servers', { servers: 10 }).readRows).toBeCloseTo(10 * (10 / 0.7));
  expect(figures('servers', { servers: 1000 }).readRows).toBeCloseTo(300_000);
  for (const servers of [1, 10, 450, 470, 1024]) {
    const readsPerSecond = (servers * 1000) / pauseOfReaders(servers, 700);
    expect(figures('servers', { servers }).readRows).toBeCloseTo(servers * readsPerSecond);
  }
});

test('a like makes one transaction, in a sixteenth of what the busiest tweet gets', () => {
  expect(figures('tallies', {})).toMatchObject({ transactions: (30_000 * 0.01) / 16, rows: 2 * 625_000 });
});

test('nothing is beyond its limit at 10,000 posts a second, after a year', () => {
  expect(breaksOf(tables, AIM).filter(({ value, limit }) => value > limit)).toEqual([]);
});

test('a busy cell of the map is split, whatever the workload', () => {
  for (const load of [0, 1])
    expect(figures('tweets_by_area', { tweets: 100_000 }, load).bytes).toBeLessThan(8e6);
});

test('each list of an index is counted: words by posts, liked tweets by the likes that list them anew', () => {
  const entries = actsPerSecond(AIM);
  expect(entries).toMatchObject({ indexed: 8000, likedEntry: 9000 });
  for (const [load, act] of ['indexed', 'likedEntry'].entries())
    expect(figures('unsealed_entries', {}, load).writes).toBe((entries[act] ?? 0) / 16);
});

test('the report of a small deployment says that nothing is beyond its limit', () => {
  const report = describeCapacity(tables, { ...AIM, tweets: 1, people: 10_000, nodes: 3, servers: 2 });
  expect(report.split('\n').slice(0, 3)).toEqual([
    '1 posts/s, 10k people, 3 nodes, 2 servers',
    '',
    'Nothing is beyond its limit.',
  ]);
  expect(report).toMatch(/^ {2}timelines_by_user +30k +6M /m);
});
