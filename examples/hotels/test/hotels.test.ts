import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import {
  createHttpServer,
  encodeNodeId,
  openKeyspace,
  readSettings,
  serverConfigOf,
  serverSettings,
  type Opened,
} from 'murmuration/kit';
import { fill, TOWN } from '../src/fill';
import { model } from '../src/model';

let opened: Opened;
let app: FastifyInstance;
const CASSANDRA_KEYSPACE = `test_${randomBytes(6).toString('hex')}`;
beforeAll(async () => {
  const settings = { EXPLAIN: 'true', ...process.env, CASSANDRA_KEYSPACE };
  const config = serverConfigOf(readSettings(serverSettings, settings));
  const logger = pino({ level: 'warn' });
  opened = await openKeyspace(config, model.cql, logger);
  const { database } = opened;
  await fill(database);
  app = await createHttpServer({
    model,
    database,
    config,
    logger,
    page: { title: 'Hotels', tabs: [], emptyTab: '' },
    contextOf: () => ({ database }),
  });
});
afterAll(async () => {
  await app.close();
  await opened.database.run(`DROP KEYSPACE IF EXISTS ${CASSANDRA_KEYSPACE}`);
  await opened.close();
});

interface Answer {
  readonly data: never;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
  readonly extensions: { readonly explain: readonly { readonly table: string }[] };
}
async function ask(query: string, variables = {}): Promise<Answer> {
  const headers = { 'x-explain': 'true' };
  const { body } = await app.inject({
    method: 'POST',
    url: '/graphql',
    headers,
    payload: { query, variables },
  });
  return JSON.parse(body) as Answer;
}
const tablesOf = ({ extensions }: Answer) => extensions.explain.map(({ table }) => table).sort();
const HOTEL = encodeNodeId('Hotel', '1000');
const RESERVE =
  'mutation ($input: ReserveRoomInput!) { reserveRoom(input: $input) { reservation { confirmation guest room } } }';
const stay = (room: number, firstNight: string, departure: string, guest = 'Ada') => ({
  input: { hotelId: HOTEL, room, firstNight, departure, guest },
});
const codesOf = ({ errors = [] }: Answer) => errors.map(({ extensions }) => extensions.code);
const reserved = ({ data }: Answer) =>
  (data as { reserveRoom: { reservation: { confirmation: string } } }).reserveRoom.reservation.confirmation;
const freeRooms = async (firstNight: string, departure: string) => {
  const answer = await ask(
    `{ hotel(id: "${HOTEL}") { availableRooms(firstNight: "${firstNight}", departure: "${departure}") { room } } }`,
  );
  const { hotel } = answer.data as { hotel: { availableRooms: { room: number }[] } };
  return { rooms: hotel.availableRooms.map(({ room }) => room), tables: tablesOf(answer) };
};

test.each([
  [
    'hotels near a point',
    `node(id: "${encodeNodeId('PointOfInterest', '103')}") { ... on PointOfInterest { list: hotels`,
    'hotels_by_point',
    30,
  ],
  [
    'points near a hotel',
    `node(id: "${HOTEL}") { ... on Hotel { list: pointsOfInterest`,
    'points_by_hotel',
    10,
  ],
  ['points of a town', `node: __typename rest: __typename ... { list: pointsOfTown`, 'points_by_town', 10],
])('pages of %s join to the whole, both ways, and each is one partition', async (_, field, table, least) => {
  const isRoot = table === 'points_by_town';
  const page = async (args: string) => {
    const list = `(${isRoot ? `town: "${TOWN}", ` : ''}${args}) { edges { cursor distance node { id name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
    const answer = await ask(isRoot ? `{ list: pointsOfTown${list} }` : `{ ${field}${list} } } }`);
    expect(answer.errors).toBeUndefined();
    // After a cursor, whether there is something on its other side is one more read.
    const reads = /after|before/.test(args) ? 2 : 1;
    expect(tablesOf(answer).filter((read) => read === table)).toHaveLength(reads);
    const found = answer.data as { list?: List; node?: { list: List } };
    return (found.list ?? found.node?.list) as List;
  };
  interface List {
    readonly edges: readonly {
      readonly cursor: string;
      readonly distance: number | null;
      readonly node: { id: string };
    }[];
    readonly pageInfo: {
      hasNextPage: boolean;
      hasPreviousPage: boolean;
      startCursor: string;
      endCursor: string;
    };
  }
  const whole = (await page('first: 100')).edges;
  expect(whole.length).toBeGreaterThanOrEqual(least);
  const distances = whole.map(({ distance }) => distance ?? 0);
  expect(distances).toEqual([...distances].sort((a, b) => a - b));
  const forwards: unknown[] = [];
  for (let after = ''; ;) {
    const { edges, pageInfo } = await page(`first: 4${after}`);
    forwards.push(...edges);
    expect(pageInfo.hasPreviousPage).toBe(after !== '');
    if (!pageInfo.hasNextPage) break;
    after = `, after: "${pageInfo.endCursor}"`;
  }
  expect(forwards).toEqual(whole);
  const backwards: unknown[] = [];
  for (let before = ''; ;) {
    const { edges, pageInfo } = await page(`last: 4${before}`);
    backwards.unshift(...edges);
    expect(pageInfo.hasNextPage).toBe(before !== '');
    if (!pageInfo.hasPreviousPage) break;
    before = `, before: "${pageInfo.startCursor}"`;
  }
  expect(backwards).toEqual(whole);
});

test('a reservation takes its nights away, and gives them back when it is cancelled', async () => {
  const before = await freeRooms('2030-01-30', '2030-02-02');
  expect(before.tables).toEqual(['hotels', 'nights_by_hotel', 'rooms_by_hotel']);
  expect(before.rooms).toContain(105);
  const confirmation = reserved(await ask(RESERVE, stay(105, '2030-01-30', '2030-02-02')));
  expect((await freeRooms('2030-01-30', '2030-02-02')).rooms).toEqual(
    before.rooms.filter((room) => room !== 105),
  );
  expect((await freeRooms('2030-02-01', '2030-02-05')).rooms).not.toContain(105);
  // The day of departure is free.
  expect((await freeRooms('2030-02-02', '2030-02-05')).rooms).toContain(105);
  expect((await freeRooms('2030-01-28', '2030-01-30')).rooms).toContain(105);
  const query = `{ reservation(confirmation: "${confirmation}") { guest room firstNight departure hotel { id } } }`;
  expect((await ask(query)).data).toEqual({
    reservation: {
      guest: 'Ada',
      room: 105,
      firstNight: '2030-01-30',
      departure: '2030-02-02',
      hotel: { id: HOTEL },
    },
  });
  expect(codesOf(await ask(RESERVE, stay(105, '2030-02-01', '2030-02-03', 'Bo')))).toEqual(['CONFLICT']);
  const cancel = `mutation { cancelReservation(confirmation: "${confirmation}") { confirmation } }`;
  for (let n = 0; n < 2; n++) expect(codesOf(await ask(cancel))).toEqual([]);
  expect((await ask(query)).data).toEqual({ reservation: null });
  expect((await freeRooms('2030-01-30', '2030-02-02')).rooms).toEqual(before.rooms);
});

test('of many who race for a room exactly one gets it, also where stays only overlap', async () => {
  for (let round = 0; round < 5; round++) {
    const month = String(round + 3).padStart(2, '0');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        ask(RESERVE, stay(110, `2031-${month}-0${1 + (n % 3)}`, `2031-${month}-06`, `guest ${n}`)),
      ),
    );
    expect(answers.filter((answer) => codesOf(answer).length === 0)).toHaveLength(1);
    expect(new Set(answers.flatMap(codesOf))).toEqual(new Set(['CONFLICT']));
    const lists = await Promise.all(
      answers.map((_, n) => ask(`{ reservationsOfGuest(guest: "guest ${n}") { nodes { room } } }`)),
    );
    const nodes = lists.flatMap(
      ({ data }) => (data as { reservationsOfGuest: { nodes: unknown[] } }).reservationsOfGuest.nodes,
    );
    expect(nodes).toHaveLength(round + 1);
  }
});

test('what was cut off before it had its nights is no reservation', async () => {
  const row =
    "(confirmation, hotel_id, room, first_night, departure, guest, made_at) VALUES (123456789012, 1000, 120, '2032-01-01', '2032-01-03', 'Cy', 0)";
  for (const table of ['reservations', 'reservations_by_guest'])
    await opened.database.run(`INSERT INTO ${table} ${row}`);
  const { data } = await ask(
    '{ reservation(confirmation: "123456789012") { room } reservationsOfGuest(guest: "Cy") { nodes { room } } }',
  );
  expect(data).toEqual({ reservation: null, reservationsOfGuest: { nodes: [] } });
  expect((await freeRooms('2032-01-01', '2032-01-03')).rooms).toContain(120);
});

test('bad input is refused', async () => {
  expect(codesOf(await ask(RESERVE, stay(999, '2030-03-01', '2030-03-02')))).toEqual(['NOT_FOUND']);
  expect(codesOf(await ask(RESERVE, stay(101, '2030-03-02', '2030-03-02')))).toEqual(['BAD_USER_INPUT']);
  expect(codesOf(await ask(RESERVE, stay(101, '2030-03-02', '2030-05-02')))).toEqual(['BAD_USER_INPUT']);
  expect(codesOf(await ask(RESERVE, stay(101, '2030-03-02', '2030-03-03', ' ')))).toEqual(['BAD_USER_INPUT']);
  const rooms = `{ hotel(id: "${HOTEL}") { availableRooms(firstNight: "2030-03-03", departure: "2030-03-01") { room } } }`;
  expect(codesOf(await ask(rooms))).toEqual(['BAD_USER_INPUT']);
});
