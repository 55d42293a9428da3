import { createBulkWriter, encodeNodeId } from 'murmuration/kit';
import {
  codesOf,
  connectionsOf,
  joinPages,
  PAGE_INFO,
  pageReader,
  readsOf,
  startTestServer,
  type TestServer,
} from 'murmuration/testing';
import { addReadings, type Reading } from '../src/add-readings';
import { allStations, generate, readingAt, writeStations } from '../src/generate';
import { createSchema } from '../src/schema';
import { weatherServer } from '../src/server';
import { startOf, Unit, units } from '../src/units';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ ...weatherServer, fill: writeStations });
});
afterAll(() => server.close());

const nodeOf = (station: number) => encodeNodeId('Station', String(1 + station));
const add = (readings: readonly Reading[]) =>
  addReadings(server.database, createBulkWriter(server.database), readings);
const START = Date.UTC(2026, 0, 30, 23, 50);
const STEP = 9_000_000;

test('every connection is walked here', () => {
  expect(connectionsOf(createSchema()).sort()).toEqual(['Query.stationsOfRegion', 'Station.readings']);
});

test('pages of the readings of a period read a day each and join to the whole, both ways', async () => {
  // Over six days and a month's end.
  const readings = Array.from({ length: 60 }, (_, n) => readingAt(0, new Date(START + n * STEP)));
  await add(readings);
  const [from, to] = [START + 3 * STEP, START + 55 * STEP].map((at) => new Date(at).toISOString());
  const query = (page: string) =>
    `{ of: station(id: "${nodeOf(0)}") { list: readings(from: "${from}", to: "${to}", ${page}) { edges { cursor node { at temperature } } ${PAGE_INFO} } } }`;
  for (const page of ['first: 3', 'last: 3'])
    expect(readsOf(await server.ask(query(page)))).toEqual([
      'buckets.page 1',
      'readings_by_station.page 1',
      'stations.get 1',
    ]);
  const page = pageReader<{ readonly node: object }>(server.ask, query);
  const { edges } = await page('first: 100');
  const wanted = readings.slice(3, 55).reverse();
  expect(edges.map(({ node }) => node)).toEqual(
    wanted.map(({ at, temperature }) => ({ at: at.toISOString(), temperature })),
  );
  expect(await joinPages(page, 'first', 3)).toEqual(edges);
  expect(await joinPages(page, 'last', 3)).toEqual(edges);
});

test('pages of the stations of a region read one partition and join to the whole, both ways', async () => {
  const east = allStations.flatMap(({ region }, n) => (region === 'East' ? n : []));
  await add(east.map((n) => readingAt(n, new Date(START))));
  const query = (page: string) =>
    `{ list: stationsOfRegion(region: "East", ${page}) { edges { cursor node { id } latest { temperature } } ${PAGE_INFO} } }`;
  for (const page of ['first: 3', 'last: 3'])
    expect(readsOf(await server.ask(query(page)))).toEqual(['latest_by_region.page 1']);
  const page = pageReader<{ readonly node: { readonly id: string } }>(server.ask, query);
  const { edges } = await page('first: 100');
  expect(edges.map(({ node }) => node.id)).toEqual(east.map(nodeOf));
  expect(await joinPages(page, 'first', 3)).toEqual(edges);
  expect(await joinPages(page, 'last', 3)).toEqual(edges);
});

test('the latest reading of a region is that of the latest moment, however late others come', async () => {
  const late = Date.UTC(2026, 5, 1);
  const north = allStations.filter(({ region }) => region === 'North');
  const readings = north.flatMap((_, index) =>
    [2, 0, 1].map((n) => readingAt(index * 3, new Date(late - n * 60_000))),
  );
  for (const reading of [...readings].reverse()) await add([reading]);
  const answer = await server.ask(
    '{ stationsOfRegion(region: "North", first: 100) { edges { node { name } latest { at temperature } } } }',
  );
  expect(readsOf(answer)).toEqual(['latest_by_region.page 1']);
  expect(answer.data).toEqual({
    stationsOfRegion: {
      edges: north.map(({ name }, index) => {
        const { at, temperature } = readingAt(index * 3, new Date(late));
        return { node: { name }, latest: { at: at.toISOString(), temperature } };
      }),
    },
  });
});

interface Summed {
  readonly at: string;
  readonly readings: number;
  readonly least: number;
  readonly mean: number;
  readonly greatest: number;
}

test('summaries are exact although readings come late, repeatedly and in several calls at once', async () => {
  const station = 10;
  const readings = Array.from({ length: 400 }, (_, n) => readingAt(station, new Date(START + n * 37_000)));
  // Each reading comes twice, in a shuffled order, eight calls at a time.
  const shuffled = [...readings, ...readings]
    .map((reading, n) => ({ reading, rank: (n * 7919) % 1009 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ reading }) => reading);
  const calls = Array.from({ length: 80 }, (_, n) => shuffled.slice(n * 10, n * 10 + 10));
  for (let n = 0; n < calls.length; n += 8) await Promise.all(calls.slice(n, n + 8).map(add));
  const to = new Date(START + 86_400_000 / 2);
  for (const [unit, buckets] of [
    [Unit.MINUTE, 2],
    [Unit.HOUR, 1],
    [Unit.DAY, 1],
  ] as const) {
    const from = startOf(unit, new Date(START));
    const answer = await server.ask(
      `{ station(id: "${nodeOf(station)}") { summaries(unit: ${unit}, from: "${from.toISOString()}", to: "${to.toISOString()}") { at readings least mean greatest } } }`,
    );
    expect(codesOf(answer)).toEqual([]);
    const summed = Array.from({ length: buckets }, () => 'summaries_by_station.page 1');
    expect(readsOf(answer)).toEqual(['stations.get 1', ...summed]);
    const found = (answer.data as { station: { summaries: Summed[] } }).station.summaries;
    const { length } = units[unit];
    const ranges = [...new Set(readings.map(({ at }) => Math.floor(Number(at) / length) * length))];
    expect(found.map(({ at }) => Date.parse(at))).toEqual(ranges);
    for (const one of found) {
      const start = Date.parse(one.at);
      const values = readings
        .filter(({ at }) => Number(at) >= start && Number(at) < start + length)
        .map(({ temperature }) => temperature);
      expect(one).toMatchObject({
        readings: values.length,
        least: Math.min(...values),
        greatest: Math.max(...values),
      });
      expect(one.mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 9);
    }
  }
});

test('of two readings of a moment the first one stays, in the list, in summaries and as the latest', async () => {
  const both = (station: number) =>
    [1, 2].map((temperature) => ({ ...readingAt(station, new Date(Date.UTC(2026, 6, 1))), temperature }));
  for (const reading of both(20)) await add([reading]);
  await add(both(23));
  const period = 'from: "2026-07-01T00:00:00Z", to: "2026-07-02T00:00:00Z"';
  for (const station of [20, 23]) {
    const { data } = await server.ask(
      `{ station(id: "${nodeOf(station)}") { readings(${period}) { nodes { temperature } } summaries(unit: DAY, ${period}) { readings mean } } }`,
    );
    expect(data).toEqual({
      station: { readings: { nodes: [{ temperature: 1 }] }, summaries: [{ readings: 1, mean: 1 }] },
    });
  }
  const { data } = await server.ask(
    '{ stationsOfRegion(region: "South") { edges { latest { temperature } } } }',
  );
  const latest = { temperature: 1 };
  expect(data).toEqual({ stationsOfRegion: { edges: [{ latest }, { latest }] } });
});

test('readings a fraction of a second apart are different readings', async () => {
  const at = (milliseconds: number) => new Date(Date.UTC(2026, 7, 1, 12) + milliseconds);
  // Readings of two stations in one call, and many readings in a minute.
  await add([readingAt(1, at(0)), readingAt(4, at(0)), readingAt(4, at(500))]);
  await add(Array.from({ length: 450 }, (_, n) => readingAt(7, at(n * 100))));
  const { data } = await server.ask(
    `{ stationsOfRegion(region: "East", first: 3) { edges { latest { at } } }
       station(id: "${nodeOf(7)}") { summaries(unit: MINUTE, from: "2026-08-01T00:00:00Z", to: "2026-08-01T13:00:00Z") { readings } } }`,
  );
  expect(data).toEqual({
    stationsOfRegion: {
      edges: [0, 500, 44_900].map((milliseconds) => ({ latest: { at: at(milliseconds).toISOString() } })),
    },
    station: { summaries: [{ readings: 450 }] },
  });
});

test('the generator writes as many readings as it says', async () => {
  const told: number[] = [];
  await generate(server.database, { rate: 200, seconds: 2 }, (stored) => told.push(stored));
  expect(told.at(-1)).toBe(400);
  const rows = await server.database.run('SELECT COUNT(*) AS n FROM readings_by_station');
  expect(Number(rows[0]?.['n'])).toBeGreaterThanOrEqual(400);
});

test('bad input is refused, and unknown stations are left out', async () => {
  const mutation = 'mutation ($input: [ReadingInput!]!) { addReadings(input: $input) { stored } }';
  const reading = { at: '2026-01-01T00:00:00Z', temperature: 1, humidity: 2, wind: 3 };
  const send = (stationId: string, count = 1) =>
    server.ask(mutation, { input: Array.from({ length: count }, () => ({ stationId, ...reading })) });
  expect((await send(nodeOf(0))).data).toEqual({ addReadings: { stored: 1 } });
  expect((await send(encodeNodeId('Station', '999'))).data).toEqual({ addReadings: { stored: 0 } });
  expect(codesOf(await send('x'))).toEqual(['BAD_USER_INPUT']);
  expect(codesOf(await send(nodeOf(0), 1001))).toEqual(['BAD_USER_INPUT']);
  const long = `{ station(id: "${nodeOf(0)}") { summaries(unit: MINUTE, from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z") { at } } }`;
  expect(codesOf(await server.ask(long))).toEqual(['BAD_USER_INPUT']);
});
