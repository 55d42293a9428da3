import { compareIds } from '../../src/kit/base/ids';
import { joinPages, PAGE_INFO, pageReader } from '../../src/tools/testing/testing';
import { hasPoint, type Area } from '../support/areas';
import { cellOf } from '../exact/oracle';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { subscribe } from '../live/subscriber';
import { idsIn, POSTED, type PostedEvent } from '../live/subscriptions';
import { edgeAreas, edgePoints } from './edges';
import { post } from '../support/mutations';

const PERIOD = 'from: "2026-01-01T00:00:00Z", to: "2026-01-04T00:00:00Z"';
/** Tweets of three days, most of them at the antimeridian, at a pole or on a border of cells. */
const placed = edgePoints(44, 150).map((location, n) => tweet(String(1000 + n), '1', n % 3, { location }));
const AREAS: readonly Area[] = [
  { south: -90, west: 180, north: 90, east: 180 },
  { south: -90, west: -180, north: 90, east: -180 },
  { south: -10, west: 170, north: 10, east: 180 },
  { south: -10, west: -180, north: 10, east: -170 },
  { south: 89, west: 10, north: 90, east: 20 },
  { south: -90, west: 0, north: -90, east: 0 },
  ...edgeAreas(45, 60),
];

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), ...placed]);
});
afterAll(() => server.close());

const written = ({ south, west, north, east }: Area) =>
  `area: { south: ${south}, west: ${west}, north: ${north}, east: ${east} }, ${PERIOD}`;

const inside = (area: Area) =>
  placed.filter(({ location }) => location && hasPoint(area, location.latitude, location.longitude));

test('areas at the antimeridian, at the poles and without a width have the tweets that are within their edges', async () => {
  let most = 0;
  for (const area of AREAS) {
    const page = pageReader<{ readonly node: { readonly tweetId: string } }>(
      (source) => server.query(source),
      (args) =>
        `{ list: tweetsInArea(${written(area)}, ${args}) { edges { node { tweetId } } ${PAGE_INFO} } }`,
    );
    const found = (await joinPages(page, 'first', 40)).map(({ node }) => node.tweetId);
    const due = inside(area).toSorted(
      (a, b) => Number(b.createdAt) - Number(a.createdAt) || compareIds(b.tweetId, a.tweetId),
    );
    expect([area, found]).toEqual([area, due.map(({ tweetId }) => tweetId)]);
    most = Math.max(most, found.length);
  }
  expect(most).toBeGreaterThan(40);
});

interface Cell {
  readonly geohash: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
}

test('their heatmaps count each of these once, in its own geohash', async () => {
  for (const area of AREAS) {
    const { data, errors } = await server.query(
      `{ tweetHeatmap(${written(area)}, precision: 2) { geohash latitude longitude count } }`,
    );
    expect(errors).toEqual([]);
    const { tweetHeatmap } = data as { tweetHeatmap: readonly Cell[] };
    const due = new Map<string, number>();
    for (const { location } of inside(area)) {
      const cell = location ? cellOf(location.latitude, location.longitude, 2) : '';
      due.set(cell, (due.get(cell) ?? 0) + 1);
    }
    const got = tweetHeatmap.map(
      ({ geohash, latitude, longitude, count }) => [`${geohash} ${latitude} ${longitude}`, count] as const,
    );
    expect([area, new Map(got)]).toEqual([area, due]);
  }
});

test('a subscription to an area that ends at the antimeridian hears of tweets on its other side', async () => {
  const address = await server.listen();
  const variables = { area: { south: -10, west: 170, north: 10, east: 180 } };
  const subscribed = await subscribe<PostedEvent>(address, { query: POSTED, variables });
  const say = (latitude: number, longitude: number) =>
    post(server, '1', { content: 'here', location: { latitude, longitude } });
  await say(0, -179);
  const { tweetId } = await say(0, -180);
  expect(idsIn([await subscribed.next()])).toEqual([tweetId]);
});
