import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import {
  createBulkWriter,
  createHttpServer,
  encodeNodeId,
  openKeyspace,
  readSettings,
  serverConfigOf,
  serverSettings,
  writeOf,
  type Opened,
} from 'murmuration/kit';
import { addReadings, type Reading } from '../src/add-readings';
import { allStations, generate, readingAt } from '../src/generate';
import { model } from '../src/model';
import { stations } from '../src/tables';
import { Unit, units } from '../src/units';

let opened: Opened;
let app: FastifyInstance;
const CASSANDRA_KEYSPACE = `test_${randomBytes(6).toString('hex')}`;
beforeAll(async () => {
  const settings = { EXPLAIN: 'true', ...process.env, CASSANDRA_KEYSPACE };
  const config = serverConfigOf(readSettings(serverSettings, settings));
  const logger = pino({ level: 'warn' });
  opened = await openKeyspace(config, model.cql, logger);
  const { database } = opened;
  for (const station of allStations) {
    const { query, params } = writeOf(stations, station);
    await database.write(query, params);
  }
  app = await createHttpServer({
    model,
    database,
    config,
    logger,
    page: { title: 'Weather', tabs: [], emptyTab: '' },
    contextOf: () => ({ database, bulk: createBulkWriter(database) }),
  });
});
afterAll(async () => {
  await app.close();
  await opened.database.run(`DROP KEYSPACE IF EXISTS ${CASSANDRA_KEYSPACE}`);
  await opened.close();
});

interface Answer {
  readonly data: unknown;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
  readonly extensions: { readonly explain: readonly { readonly table: string }[] };
}
async function ask(query: string, variables = {}): Promise<Answer> {
  const headers = { 'x-explain': 'true' };
  const payload = { query, variables };
  const { body } = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
  return JSON.parse(body) as Answer;
}
const tablesOf = ({ extensions }: Answer) => extensions.explain.map(({ table }) => table).sort();
const nodeOf = (station: number) => encodeNodeId('Station', String(1 + station));
const add = (readings: readonly Reading[]) =>
  addReadings(opened.database, createBulkWriter(opened.database), readings);
const START = Date.UTC(2026, 0, 30, 23, 50);

interface Page {
  readonly nodes: readonly { readonly at: string; readonly temperature: number }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
}

test('readings of a period are pages that join to the whole, both ways, and each day is one partition', async () => {
  // Over three days and a month's end.
  const readings = Array.from({ length: 60 }, (_, n) => readingAt(0, new Date(START + n * 2_700_000)));
  await add(readings);
  const [from, to] = [readings[3]?.at ?? new Date(), readings[55]?.at ?? new Date()];
  const wanted = readings.slice(3, 55).reverse();
  const page = async (args: string) => {
    const answer = await ask(
      `{ station(id: "${nodeOf(0)}") { readings(from: "${from.toISOString()}", to: "${to.toISOString()}", ${args}) { nodes { at temperature } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
    );
    expect(answer.errors).toBeUndefined();
    expect(new Set(tablesOf(answer))).toEqual(new Set(['buckets', 'readings_by_station', 'stations']));
    return (answer.data as { station: { readings: Page } }).station.readings;
  };
  const shown = wanted.map(({ at, temperature }) => ({ at: at.toISOString(), temperature }));
  expect((await page('first: 100')).nodes).toEqual(shown);
  const forwards: unknown[] = [];
  for (let after = ''; ;) {
    const { nodes, pageInfo } = await page(`first: 7${after}`);
    forwards.push(...nodes);
    expect(pageInfo.hasPreviousPage).toBe(after !== '');
    if (!pageInfo.hasNextPage) break;
    after = `, after: "${pageInfo.endCursor}"`;
  }
  expect(forwards).toEqual(shown);
  const backwards: unknown[] = [];
  for (let before = ''; ;) {
    const { nodes, pageInfo } = await page(`last: 7${before}`);
    backwards.unshift(...nodes);
    if (!pageInfo.hasPreviousPage) break;
    before = `, before: "${pageInfo.startCursor}"`;
  }
  expect(backwards).toEqual(shown);
});

test('the latest reading of a region is that of the latest moment, however late others come', async () => {
  const late = Date.UTC(2026, 5, 1);
  const north = allStations.filter(({ region }) => region === 'North');
  const readings = north.flatMap((_, place) =>
    [2, 0, 1].map((n) => readingAt(place * 3, new Date(late - n * 60_000))),
  );
  for (const reading of [...readings].reverse()) await add([reading]);
  const answer = await ask(
    '{ stationsOfRegion(region: "North", first: 100) { edges { node { name } latest { at temperature } } } }',
  );
  expect(tablesOf(answer)).toEqual(['latest_by_region']);
  expect(answer.data).toEqual({
    stationsOfRegion: {
      edges: north.map(({ name }, place) => {
        const { at, temperature } = readingAt(place * 3, new Date(late));
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

test('sums are exact though readings come late, repeatedly and through several servers at once', async () => {
  const station = 10;
  const readings = Array.from({ length: 400 }, (_, n) => readingAt(station, new Date(START + n * 37_000)));
  // Each comes twice, in an order of its own, eight calls at a time.
  const shuffled = [...readings, ...readings]
    .map((reading, n) => ({ reading, place: (n * 7919) % 1009 }))
    .sort((a, b) => a.place - b.place)
    .map(({ reading }) => reading);
  const calls = Array.from({ length: 80 }, (_, n) => shuffled.slice(n * 10, n * 10 + 10));
  for (let n = 0; n < calls.length; n += 8) await Promise.all(calls.slice(n, n + 8).map(add));
  const [from, to] = [new Date(START - 86_400_000), new Date(START + 2 * 86_400_000)];
  for (const unit of [Unit.HOUR, Unit.DAY]) {
    const answer = await ask(
      `{ station(id: "${nodeOf(station)}") { summaries(unit: ${unit}, from: "${from.toISOString()}", to: "${to.toISOString()}") { at readings least mean greatest } } }`,
    );
    expect(answer.errors).toBeUndefined();
    const found = (answer.data as { station: { summaries: Summed[] } }).station.summaries;
    const { length } = units[unit];
    const ranges = [...new Set(readings.map(({ at }) => Math.floor(Number(at) / length) * length))];
    expect(found.map(({ at }) => Date.parse(at))).toEqual(ranges.filter((at) => at >= Number(from)));
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

test('the generator writes as many readings as it says', async () => {
  const told: number[] = [];
  await generate(opened.database, { rate: 200, seconds: 2 }, (stored) => told.push(stored));
  expect(told.at(-1)).toBe(400);
  const rows = await opened.database.run('SELECT COUNT(*) AS n FROM readings_by_station');
  expect(Number(rows[0]?.['n'])).toBeGreaterThanOrEqual(400);
});

test('bad input is refused, and unknown stations are left out', async () => {
  const mutation = 'mutation ($input: [ReadingInput!]!) { addReadings(input: $input) { stored } }';
  const reading = { at: '2026-01-01T00:00:00Z', temperature: 1, humidity: 2, wind: 3 };
  const send = (stationId: string, count = 1) =>
    ask(mutation, { input: Array.from({ length: count }, () => ({ stationId, ...reading })) });
  expect((await send(nodeOf(0))).data).toEqual({ addReadings: { stored: 1 } });
  expect((await send(encodeNodeId('Station', '999'))).data).toEqual({ addReadings: { stored: 0 } });
  const codesOf = ({ errors = [] }: Answer) => errors.map(({ extensions }) => extensions.code);
  expect(codesOf(await send('x'))).toEqual(['BAD_USER_INPUT']);
  expect(codesOf(await send(nodeOf(0), 1001))).toEqual(['BAD_USER_INPUT']);
  const long = `{ station(id: "${nodeOf(0)}") { summaries(unit: MINUTE, from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z") { at } } }`;
  expect(codesOf(await ask(long))).toEqual(['BAD_USER_INPUT']);
});
