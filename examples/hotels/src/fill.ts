import { createBulkWriter, createLoad, writeOf, type Database } from 'murmuration/kit';
import { addHotel } from './hotel-index';
import {
  amenitiesByRoom,
  hotels,
  hotelsByPoint,
  points,
  pointsByHotel,
  pointsByTown,
  roomsByHotel,
} from './tables';

/** The town of the example. */
export const TOWN = 'Halmstedt';
/** Hotels and points within this distance are near each other. */
const MAX_DISTANCE_METRES = 10_000;
const HOTELS = 40;
const ROOMS = 25;

const sights = [
  'Cathedral',
  'Harbour',
  'Opera',
  'Old Mill',
  'Town Hall',
  'Zoo',
  'Castle',
  'University',
  'Market',
  'Lighthouse',
];
const adjectives = ['Grand', 'Little', 'Golden', 'Quiet', 'Royal', 'Blue', 'Old', 'New'];
const nouns = ['Swan', 'Anchor', 'Garden', 'Bridge', 'Crown'];
const kinds = [
  ['single', 1],
  ['double', 2],
  ['family', 4],
] as const;
const amenities = [
  ['balcony', 'Seats for two'],
  ['bath', 'A tub and a shower'],
  ['desk', 'With a lamp and four sockets'],
  ['kettle', 'Tea and coffee'],
  ['safe', 'Fits a laptop'],
] as const;

/** The coordinates of the nth of `of` things, in metres from the middle of the town. They are always the same. */
function coordinatesOf(n: number, of: number): [x: number, y: number] {
  const angle = n * 2.399963; // The golden angle distributes them evenly.
  const radius = MAX_DISTANCE_METRES * 0.8 * Math.sqrt((n + 0.5) / of);
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** Writes a town with its sights and hotels: the same rows each time. */
export async function fill(database: Database): Promise<void> {
  const writers = createBulkWriter(database);
  const bulk = writers();
  const allPoints = sights.map((name, n) => ({
    pointId: String(100 + n),
    town: TOWN,
    name,
    description: `The ${name} of ${TOWN}`,
    at: coordinatesOf(n, sights.length),
  }));
  const allHotels = Array.from({ length: HOTELS }, (_, n) => ({
    hotelId: String(1000 + n),
    name: `${adjectives[n % adjectives.length] ?? ''} ${nouns[Math.floor(n / adjectives.length)] ?? ''}`,
    phone: `+49 555 ${1000 + n}`,
    address: `${n + 1} Station Road, ${TOWN}`,
    at: coordinatesOf(n, HOTELS),
  }));
  for (const { at: _, ...point } of allPoints)
    for (const table of [points, pointsByTown]) await bulk.put(writeOf(table, point));
  const load = createLoad(database);
  for (const { at: here, ...hotel } of allHotels) {
    // One that is stored is in the index, too.
    const isStored = (await load(hotels.get, hotel)) !== null;
    if (!isStored) await addHotel(database, writers, hotel);
    for (const { at: there, ...point } of allPoints) {
      const distance = Math.round(Math.hypot(here[0] - there[0], here[1] - there[1]));
      if (distance > MAX_DISTANCE_METRES) continue;
      await bulk.put(writeOf(hotelsByPoint, { ...hotel, pointId: point.pointId, distance }));
      await bulk.put(writeOf(pointsByHotel, { ...point, hotelId: hotel.hotelId, distance }));
    }
    for (let n = 0; n < ROOMS; n++) {
      const [kind, beds] = kinds[n % kinds.length] ?? kinds[0];
      const { hotelId } = hotel;
      const room = 101 + n;
      await bulk.put(writeOf(roomsByHotel, { hotelId, room, kind, beds }));
      for (const [amenity, description] of amenities.slice(n % 3))
        await bulk.put(writeOf(amenitiesByRoom, { hotelId, room, amenity, description }));
    }
  }
  await bulk.flush();
}
