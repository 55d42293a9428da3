import { cellAt, areaBucketAt, GRIDS, ownerIn } from '../../src/features/map/cells';
import { tweetsByArea } from '../../src/features/map/map.table';
import { jobs } from '../../src/jobs/all';
import { compareIds } from '../../src/kit/base/ids';
import { snowflakeAt } from '../../src/kit/base/snowflake';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { bucketAssignerOf, type BucketAssignerOptions } from '../../src/kit/lists/bucket-assigner';
import { buckets } from '../../src/kit/lists/buckets';
import { listBuckets } from '../../src/kit/lists/list-buckets';
import { readMany } from '../../src/kit/reads/load';
import { joinPages, PAGE_INFO, pageReader } from '../../src/tools/testing/testing';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { subscribe } from '../live/subscriber';
import { POSTED, type Edge, type PostedEvent } from '../live/subscriptions';
import { act, post } from '../support/mutations';
import { randomIntFrom } from '../support/random-int';

// Partitions are full after a few rows, so that the lists of cells are split again and again, all over.
const lists: BucketAssignerOptions = {
  ...{ fullRows: 12, rowsPerCheck: 3, effectiveMs: 0 },
  ...{ trustedMs: 0, trustedForOldRowsMs: 0 },
};
const random = randomIntFrom(41);
const [JANUARY, APRIL] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 3, 1)];

interface Place {
  readonly at: Date;
  readonly latitude: number;
  readonly longitude: number;
}

let server: Harness;
let address: string;
/** The tweets with a place, by their ids. */
const stored = new Map<string, Place>();

/** Imports tweets of three months: most in one street, others in its city. */
async function importTweets(count: number): Promise<void> {
  const records = Array.from({ length: count }, (_, n) => {
    const at = new Date(JANUARY + random(APRIL - JANUARY));
    const spread = n % 4 === 0 ? 0.2 : 0.002;
    const [latitude = 0, longitude = 0] = [52.5, 13.4].map((base) => base + (spread * random(1000)) / 1000);
    const tweetId = snowflakeAt(at, BigInt(random(4096))) ?? '';
    stored.set(tweetId, { at, latitude, longitude });
    return { ...tweet(tweetId, '1', 0, { location: { latitude, longitude } }), createdAt: at };
  });
  expect(await server.store(records)).toEqual(new Map());
  await bucketAssignerOf(server.database).idle();
}

beforeAll(async () => {
  server = await startHarness({ SUBSCRIPTION_READ_SECONDS: '1' }, undefined, { lists });
  address = await server.listen();
  await server.store([person('1', 'ada')]);
  for (let n = 0; n < 4; n++) await importTweets(100);
});
afterAll(() => server.close());

const street = { south: 52.4999, west: 13.3999, north: 52.5021, east: 13.4021 };
const city = { south: 52.4, west: 13.3, north: 52.8, east: 13.7 };
const world = { south: -90, west: -180, north: 90, east: 180 };
type Area = typeof street;
const [FEBRUARY, MARCH] = [Date.UTC(2026, 1, 10, 12), Date.UTC(2026, 2, 5)];

const inside = ({ south, west, north, east }: Area, from: number, to: number) =>
  [...stored]
    .filter(([, { at, latitude, longitude }]) => {
      const isThere = latitude >= south && latitude <= north && longitude >= west && longitude <= east;
      return isThere && Number(at) >= from && Number(at) < to;
    })
    .map(([tweetId]) => tweetId)
    .sort((a, b) => compareIds(b, a));

const areaArguments = ({ south, west, north, east }: Area, from: number, to: number) =>
  `area: { south: ${south}, west: ${west}, north: ${north}, east: ${east} }, from: "${new Date(from).toISOString()}", to: "${new Date(to).toISOString()}"`;

const extents = [
  ['a street', street, JANUARY, APRIL],
  ['a street in a month', street, FEBRUARY, MARCH],
  ['a city', city, JANUARY, APRIL],
  ['a city in a month', city, FEBRUARY, MARCH],
  ['the world in a month', world, FEBRUARY, MARCH],
] as const;

test('the lists of cells were split, into several buckets', async () => {
  const [fine] = GRIDS;
  if (!fine) throw new Error('There must be a grid.');
  const owner = ownerIn(cellAt(fine, 52.501, 13.401), areaBucketAt(fine, new Date(JANUARY)));
  const [found = []] = await readMany(server.database, listBuckets.page, [
    { owner, list: tweetsByArea.name, limit: 10_000 },
  ]);
  expect(found.length).toBeGreaterThan(2);
});

test.each(extents)('pages of %s join to the whole', async (_, area, from, to) => {
  const page = pageReader<{ readonly node: { readonly tweetId: string } }>(
    (source) => server.query(source),
    (args) =>
      `{ list: tweetsInArea(${areaArguments(area, from, to)}, ${args}) { edges { node { tweetId } } ${PAGE_INFO} } }`,
  );
  const due = inside(area, from, to);
  expect(due.length).toBeGreaterThan(50);
  expect((await joinPages(page, 'first', 20)).map(({ node }) => node.tweetId)).toEqual(due);
});

test.each(extents)('a heatmap of %s counts each tweet once', async (_, area, from, to) => {
  const { data, errors } = await server.query(
    `{ tweetHeatmap(${areaArguments(area, from, to)}, precision: 1) { count } }`,
  );
  expect(errors).toEqual([]);
  const { tweetHeatmap } = data as { tweetHeatmap: { count: number }[] };
  expect(tweetHeatmap.reduce((sum, { count }) => sum + count, 0)).toBe(inside(area, from, to).length);
});

test('a page of split cells has a page before it, and reads a few partitions of each', async () => {
  let after = '';
  for (let n = 0; n < 5; n++) {
    const query = `{ tweetsInArea(${areaArguments(street, JANUARY, APRIL)}, first: 25, after: "${after}") { edges { cursor } ${PAGE_INFO} } }`;
    const { extensions, data } = JSON.parse((await server.post(JSON.stringify({ query }))).body) as {
      extensions: { cost: { bound: number; boundOfRows: number; reads: number; rows: number } };
      data: { tweetsInArea: { pageInfo: { endCursor: string; hasPreviousPage: boolean } } };
    };
    const { bound, boundOfRows, reads, rows } = extensions.cost;
    expect(reads).toBeLessThanOrEqual(Math.min(bound, 150));
    expect(rows).toBeLessThanOrEqual(boundOfRows);
    const { endCursor, hasPreviousPage } = data.tweetsInArea.pageInfo;
    expect(hasPreviousPage).toBe(n > 0);
    after = endCursor;
  }
});

test('tweets that are posted and deleted come to and leave split cells', async () => {
  const location = { latitude: 52.501, longitude: 13.401, country: null };
  const { id } = await post(server, '1', { content: 'here and gone', location });
  await server.writeServices.outbox.idle();
  const count = async () => {
    const now = Date.now();
    const { data } = await server.query(
      `{ tweetHeatmap(${areaArguments(street, JANUARY, now + 60_000)}, precision: 1) { count } }`,
    );
    return (data as { tweetHeatmap: { count: number }[] }).tweetHeatmap.reduce(
      (sum, one) => sum + one.count,
      0,
    );
  };
  const before = inside(street, JANUARY, APRIL).length;
  expect(await count()).toBe(before + 1);
  await act(server, '1', 'deleteTweet', { id });
  const [gone = ''] = inside(street, JANUARY, APRIL);
  await act(server, '1', 'deleteTweet', { id: encodeNodeId('Tweet', gone) });
  stored.delete(gone);
  await server.writeServices.outbox.idle();
  expect(await count()).toBe(before - 1);
});

test.each([
  ['a street', street],
  ['the world', world],
])(
  'a subscription to %s gives each tweet of cells that are being split, and goes on after a cursor',
  async (_, area) => {
    const asked = { query: POSTED, variables: { area } };
    const live = await subscribe<PostedEvent>(address, asked);
    const location = { latitude: 52.501, longitude: 13.401, country: null };
    const posted: string[] = [];
    for (let n = 0; n < 40; n++)
      posted.push((await post(server, '1', { content: `here ${n}`, location })).tweetId);
    const given: Edge[] = [];
    while (given.length < posted.length) {
      const { data, errors } = await live.next();
      expect(errors).toBeUndefined();
      if (data) given.push(data.tweetPosted);
    }
    const idsOf = (edges: readonly Edge[]) => edges.map(({ node }) => node.tweetId).sort(compareIds);
    expect(idsOf(given)).toEqual(posted.toSorted(compareIds));
    // Later ones are read from the lists, not signalled.
    const after = given.find(({ node }) => node.tweetId === posted[4])?.cursor;
    const resumed = await subscribe<PostedEvent>(address, { ...asked, variables: { area, after } });
    const again = new Set<string>();
    while (!posted.slice(5).every((tweetId) => again.has(tweetId))) {
      const { data, errors } = await resumed.next();
      expect(errors).toBeUndefined();
      if (data) again.add(data.tweetPosted.node.tweetId);
    }
  },
);

test('a split map is verified, and rows that were lost are rebuilt', async () => {
  const [job, ofBuckets] = [tweetsByArea, buckets].map((table) =>
    jobs.find(({ name }) => name === table.name),
  );
  const context = { database: server.database, retentionMonths: null };
  const right = { missing: 0, surplus: 0, different: 0, examples: [] };
  expect(await job?.verify(context, 2000)).toMatchObject(right);
  expect(await ofBuckets?.verify(context, 2000)).toMatchObject(right);
  const [fine] = GRIDS;
  if (!fine) throw new Error('There must be a grid.');
  const list = ownerIn(cellAt(fine, 52.501, 13.401), areaBucketAt(fine, new Date(JANUARY)));
  await server.database.run(`DELETE FROM tweets_by_area WHERE cell = ${list} AND bucket = 0`);
  const { written = 0 } = (await job?.rebuild(context, () => undefined)) ?? {};
  expect(written).toBeGreaterThan(0);
  expect(await job?.verify(context, 2000)).toMatchObject(right);
  const { data } = await server.query(
    `{ tweetHeatmap(${areaArguments(city, JANUARY, APRIL)}, precision: 1) { count } }`,
  );
  const { tweetHeatmap } = data as { tweetHeatmap: { count: number }[] };
  expect(tweetHeatmap.reduce((sum, { count }) => sum + count, 0)).toBe(inside(city, JANUARY, APRIL).length);
});
