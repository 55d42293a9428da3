import { createBulkWriter, encodeNodeId, removalOf, sharedIndex, writeOf } from 'murmuration/kit';
import {
  codesOf,
  connectionsOf,
  joinPages,
  PAGE_INFO,
  pageReader,
  readsOf,
  startTestServer,
  type Answer,
  type TestServer,
} from 'murmuration/testing';
import { TOWN } from '../src/fill';
import { addHotel, hotelIndex } from '../src/hotel-index';
import { hotelServer } from '../src/server';
import { createSchema } from '../src/schema';
import { hotels, reservations, reservationsByGuest } from '../src/tables';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(hotelServer);
});
afterAll(() => server.close());

const HOTEL = encodeNodeId('Hotel', '1000');
const RESERVE =
  'mutation ($input: ReserveRoomInput!) { reserveRoom(input: $input) { reservation { confirmation guest room } } }';
const stay = (room: number, firstNight: string, departure: string, guest = 'Ada') => ({
  input: { hotelId: HOTEL, room, firstNight, departure, guest },
});
const reserved = ({ data }: Answer) =>
  (data as { reserveRoom: { reservation: { confirmation: string } } }).reserveRoom.reservation.confirmation;
/** Leaves a reservation behind like a call that was cut off before it took the nights. */
const cutOff = async (confirmation: string, guest: string) => {
  const [firstNight, departure] = ['2032-01-01', '2032-01-03'];
  const row = { confirmation, hotelId: '1000', room: 120, firstNight, departure, guest, madeAt: new Date() };
  for (const { query, params } of [writeOf(reservations, row), writeOf(reservationsByGuest, row)])
    await server.database.write(query, params);
};
const freeRooms = async (firstNight: string, departure: string) => {
  const answer = await server.ask(
    `{ hotel(id: "${HOTEL}") { availableRooms(firstNight: "${firstNight}", departure: "${departure}") { room } } }`,
  );
  const { hotel } = answer.data as { hotel: { availableRooms: { room: number }[] } };
  return { rooms: hotel.availableRooms.map(({ room }) => room), reads: readsOf(answer) };
};

/** Each list: the query of a page, what a page of three reads, and what the list contains. */
const lists = [
  {
    list: 'PointOfInterest.hotels',
    query: (page: string) =>
      `{ of: pointOfInterest(id: "${encodeNodeId('PointOfInterest', '103')}") { list: hotels(${page}) { edges { cursor distance node { key: name } } ${PAGE_INFO} } } }`,
    reads: ['hotels_by_point.page 1', 'points.get 1'],
    held: () => keysIn('SELECT name AS key FROM hotels_by_point WHERE point_id = 103'),
  },
  {
    list: 'Hotel.pointsOfInterest',
    query: (page: string) =>
      `{ of: hotel(id: "${HOTEL}") { list: pointsOfInterest(${page}) { edges { cursor distance node { key: name } } ${PAGE_INFO} } } }`,
    reads: ['hotels.get 1', 'points_by_hotel.page 1'],
    held: () => keysIn('SELECT name AS key FROM points_by_hotel WHERE hotel_id = 1000'),
  },
  {
    list: 'Query.pointsOfTown',
    query: (page: string) =>
      `{ list: pointsOfTown(town: "${TOWN}", ${page}) { edges { cursor node { key: name } } ${PAGE_INFO} } }`,
    reads: ['points_by_town.page 1'],
    held: () => keysIn(`SELECT name AS key FROM points_by_town WHERE town = '${TOWN}'`),
  },
  {
    list: 'Query.searchHotels',
    query: (page: string) =>
      `{ list: searchHotels(words: "Road, swan", ${page}) { edges { cursor node { key: name } } ${PAGE_INFO} } }`,
    reads: ['hotels.get 4', 'segments.page 1'],
    async held() {
      const all = await server.database.run('SELECT CAST(hotel_id AS text) AS id, name FROM hotels');
      const found = all.filter(({ name }) => String(name).includes('Swan'));
      return found.sort((a, b) => Number(b['id']) - Number(a['id'])).map(({ name }) => String(name));
    },
  },
  {
    list: 'Query.reservationsOfGuest',
    query: (page: string) =>
      `{ list: reservationsOfGuest(guest: "Dan", ${page}) { edges { cursor node { key: confirmation } } ${PAGE_INFO} } }`,
    // Each reservation takes a read to check that it is valid, and so does the one after the page.
    reads: [...Array.from({ length: 4 }, () => 'nights_by_hotel.get 1'), 'reservations_by_guest.page 1'],
    async held() {
      const valid: string[] = [];
      for (let n = 1; n <= 8; n++) {
        valid.unshift(
          reserved(await server.ask(RESERVE, stay(102, `2033-01-0${n}`, `2033-01-0${n + 1}`, 'Dan'))),
        );
        if (n === 4) await cutOff('1', 'Dan');
      }
      return valid;
    },
  },
];
const keysIn = async (query: string) => (await server.database.run(query)).map((row) => String(row['key']));

test('every connection is walked here', () => {
  expect(connectionsOf(createSchema()).sort()).toEqual(lists.map(({ list }) => list).sort());
});

test.each(lists)(
  'pages of $list read one partition and join to the whole, both ways',
  async ({ query, reads, held }) => {
    const keys = await held();
    expect(keys.length).toBeGreaterThan(6);
    for (const page of ['first: 3', 'last: 3']) expect(readsOf(await server.ask(query(page)))).toEqual(reads);
    const page = pageReader<{ readonly node: { readonly key: string } }>(server.ask, query);
    const { edges } = await page('first: 100');
    expect(edges.map(({ node }) => node.key)).toEqual(keys);
    expect(await joinPages(page, 'first', 3)).toEqual(edges);
    expect(await joinPages(page, 'last', 3)).toEqual(edges);
  },
);

test('a hotel is found by its words at once, when its entry is sealed and when it has another name, until it is deleted', async () => {
  const { database } = server;
  const index = sharedIndex(database, hotelIndex);
  const found = async (words: string) => {
    const { data } = await server.ask(
      'query ($words: String!) { searchHotels(words: $words) { nodes { name } } }',
      {
        words,
      },
    );
    return (data as { searchHotels: { nodes: { name: string }[] } }).searchHotels.nodes.map(
      ({ name }) => name,
    );
  };
  const seal = () => index.maintain({ afterMs: 0, ageMs: 0 });
  const hotel = {
    hotelId: '5000',
    name: 'Wild Goose',
    phone: '+49 555 5000',
    address: '1 Dyke Lane, Halmstedt',
  };
  const add = (name: string) => addHotel(database, createBulkWriter(database), { ...hotel, name });
  await add('Wild Goose');
  expect(await found('halmstedt goose')).toEqual(['Wild Goose']);
  expect(await seal()).toBeGreaterThan(0);
  expect(index.size().segments).toBe(1);
  expect(await found('lane GOOSE')).toEqual(['Wild Goose']);
  expect(await found('goose swan')).toEqual([]);
  await add('Tame Goose');
  for (let n = 0; n < 2; n++) {
    expect(await found('wild')).toEqual([]);
    expect(await found('goose')).toEqual(['Tame Goose']);
    await seal();
  }
  expect(index.size().segments).toBe(2);
  const { query, params } = removalOf(hotels, { hotelId: hotel.hotelId });
  await database.write(query, params);
  expect(await found('goose')).toEqual([]);
  for (const words of ['', '?!', 'a b c d e f'])
    expect(codesOf(await server.ask(`{ searchHotels(words: "${words}") { nodes { id } } }`))).toEqual([
      'BAD_USER_INPUT',
    ]);
});

test('the amenities of a room are one partition', async () => {
  const answer = await server.ask(
    `{ hotel(id: "${HOTEL}") { availableRooms(firstNight: "2029-01-01", departure: "2029-01-02") { room amenities { amenity } } } }`,
  );
  const { hotel } = answer.data as {
    hotel: { availableRooms: { room: number; amenities: { amenity: string }[] }[] };
  };
  const offered = ['balcony', 'bath', 'desk', 'kettle', 'safe'].map((amenity) => ({ amenity }));
  expect(hotel.availableRooms).toEqual(
    Array.from({ length: 25 }, (_, n) => ({ room: 101 + n, amenities: offered.slice(n % 3) })),
  );
  expect(readsOf(answer)).toEqual([
    ...hotel.availableRooms.map(() => 'amenities_by_room.page 1'),
    'hotels.get 1',
    'nights_by_hotel.page 1',
    'rooms_by_hotel.page 1',
  ]);
});

test('a reservation takes its nights away, and gives them back when it is cancelled', async () => {
  const before = await freeRooms('2030-01-30', '2030-02-02');
  expect(before.reads).toEqual(['hotels.get 1', 'nights_by_hotel.page 1', 'rooms_by_hotel.page 1']);
  expect(before.rooms).toContain(105);
  const confirmation = reserved(await server.ask(RESERVE, stay(105, '2030-01-30', '2030-02-02')));
  expect((await freeRooms('2030-01-30', '2030-02-02')).rooms).toEqual(
    before.rooms.filter((room) => room !== 105),
  );
  expect((await freeRooms('2030-02-01', '2030-02-05')).rooms).not.toContain(105);
  // The day of departure is free.
  expect((await freeRooms('2030-02-02', '2030-02-05')).rooms).toContain(105);
  expect((await freeRooms('2030-01-28', '2030-01-30')).rooms).toContain(105);
  const query = `{ reservation(confirmation: "${confirmation}") { guest room firstNight departure hotel { id } } }`;
  expect((await server.ask(query)).data).toEqual({
    reservation: {
      guest: 'Ada',
      room: 105,
      firstNight: '2030-01-30',
      departure: '2030-02-02',
      hotel: { id: HOTEL },
    },
  });
  expect(codesOf(await server.ask(RESERVE, stay(105, '2030-02-01', '2030-02-03', 'Bo')))).toEqual([
    'CONFLICT',
  ]);
  const cancel = `mutation { cancelReservation(confirmation: "${confirmation}") { confirmation } }`;
  for (let n = 0; n < 2; n++) expect(codesOf(await server.ask(cancel))).toEqual([]);
  expect((await server.ask(query)).data).toEqual({ reservation: null });
  expect((await freeRooms('2030-01-30', '2030-02-02')).rooms).toEqual(before.rooms);
});

test('of many guests who race for a room exactly one gets it, even if their stays only overlap', async () => {
  for (let round = 0; round < 5; round++) {
    const month = String(round + 3).padStart(2, '0');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        server.ask(RESERVE, stay(110, `2031-${month}-0${1 + (n % 3)}`, `2031-${month}-06`, `guest ${n}`)),
      ),
    );
    expect(answers.filter((answer) => codesOf(answer).length === 0)).toHaveLength(1);
    expect(new Set(answers.flatMap(codesOf))).toEqual(new Set(['CONFLICT']));
    const lists = await Promise.all(
      answers.map((_, n) => server.ask(`{ reservationsOfGuest(guest: "guest ${n}") { nodes { room } } }`)),
    );
    const nodes = lists.flatMap(
      ({ data }) => (data as { reservationsOfGuest: { nodes: unknown[] } }).reservationsOfGuest.nodes,
    );
    expect(nodes).toHaveLength(round + 1);
  }
});

test('reserving again returns the same reservation', async () => {
  const [first, again] = [
    await server.ask(RESERVE, stay(111, '2030-06-01', '2030-06-03')),
    await server.ask(RESERVE, stay(111, '2030-06-01', '2030-06-03')),
  ];
  expect(reserved(again)).toBe(reserved(first));
  expect(codesOf(await server.ask(RESERVE, stay(111, '2030-06-01', '2030-06-03', 'Bo')))).toEqual([
    'CONFLICT',
  ]);
  expect(codesOf(await server.ask(RESERVE, stay(111, '2030-06-01', '2030-06-02')))).toEqual(['CONFLICT']);
});

test('a reservation that was cut off before it took its nights does not exist', async () => {
  await cutOff('123456789012', 'Cy');
  const { data } = await server.ask(
    '{ reservation(confirmation: "123456789012") { room } reservationsOfGuest(guest: "Cy") { nodes { room } } }',
  );
  expect(data).toEqual({ reservation: null, reservationsOfGuest: { nodes: [] } });
  expect((await freeRooms('2032-01-01', '2032-01-03')).rooms).toContain(120);
});

test('a text that cannot be a key finds nothing', async () => {
  for (const text of ['', 'x'.repeat(100)]) {
    const { data, errors } = await server.ask(
      'query ($text: String!) { pointsOfTown(town: $text) { nodes { name } pageInfo { hasNextPage } } reservationsOfGuest(guest: $text) { nodes { room } } }',
      { text },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      pointsOfTown: { nodes: [], pageInfo: { hasNextPage: false } },
      reservationsOfGuest: { nodes: [] },
    });
  }
});

test('bad input is refused', async () => {
  const { errors } = await server.ask(`{ pointsOfTown(town: "${'x'.repeat(101)}") { nodes { name } } }`);
  expect(errors.map(({ message }) => message)).toEqual([
    'pointsOfTown.town must be at most 100 characters (UTF-16 code units), but got 101.',
  ]);
  const missing = await server.ask(RESERVE, stay(999, '2030-03-01', '2030-03-02'));
  expect(codesOf(missing)).toEqual(['NOT_FOUND']);
  expect(missing.errors[0]?.message).toBe(`Hotel ${HOTEL} has no room 999.`);
  expect(codesOf(await server.ask(RESERVE, stay(101, '2030-03-02', '2030-03-02')))).toEqual([
    'BAD_USER_INPUT',
  ]);
  expect(codesOf(await server.ask(RESERVE, stay(101, '2030-03-02', '2030-05-02')))).toEqual([
    'BAD_USER_INPUT',
  ]);
  expect(codesOf(await server.ask(RESERVE, stay(101, '2030-03-02', '2030-03-03', ' ')))).toEqual([
    'BAD_USER_INPUT',
  ]);
  const rooms = `{ hotel(id: "${HOTEL}") { availableRooms(firstNight: "2030-03-03", departure: "2030-03-01") { room } } }`;
  expect(codesOf(await server.ask(rooms))).toEqual(['BAD_USER_INPUT']);
});
