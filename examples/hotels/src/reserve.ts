import { randomInt } from 'node:crypto';
import {
  badInput,
  conflict,
  decideUntilWritten,
  encodeNodeId,
  notFound,
  readMany,
  removalOf,
  writeOf,
  type Database,
} from 'murmuration/kit';
import {
  nightsByHotel,
  reservations,
  reservationsByGuest,
  roomsByHotel,
  type ReservationRow,
} from './tables';

const DAY_MS = 86_400_000;
const MAX_NIGHTS = 30;

/** What a guest asks for. */
export type Stay = Pick<ReservationRow, 'hotelId' | 'room' | 'firstNight' | 'departure' | 'guest'>;

/** A day as it is stored. */
export function dateOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** The nights of a stay: the day of departure is not one of them. Throws `BAD_USER_INPUT` if there are none or more than 30. */
export function nightsOf({ firstNight, departure }: Pick<Stay, 'firstNight' | 'departure'>): string[] {
  const first = Date.parse(firstNight);
  const count = (Date.parse(departure) - first) / DAY_MS;
  if (count < 1 || count > MAX_NIGHTS)
    throw badInput(
      `A stay must have 1 to ${MAX_NIGHTS} nights, but got ${count}: from ${firstNight} to ${departure}.`,
    );
  return Array.from({ length: count }, (_, night) => dateOf(new Date(first + night * DAY_MS)));
}

/**
 * Reserves a room: all nights or none. The reservation is written first and is valid once its nights have its number. One
 * conditional batch on the hotel's partition writes that number, so of two guests who race for a night exactly one gets it, and a
 * call that is cut off leaves no valid reservation. Repeating the call returns the same reservation. Throws `CONFLICT` if a
 * night is taken, `NOT_FOUND` if there is no such room.
 */
export async function reserve(database: Database, stay: Stay): Promise<ReservationRow> {
  const nights = nightsOf(stay);
  const [room] = await readMany(database, roomsByHotel.get, [stay]);
  if (room == null) throw notFound(`Hotel ${encodeNodeId('Hotel', stay.hotelId)} has no room ${stay.room}.`);
  const reservation = await store(database, stay);
  if (await takeNights(database, reservation, nights)) return reservation;
  await forget(database, reservation);
  const same = await existingReservation(database, stay);
  if (same) return same;
  throw conflict(`Room ${stay.room} is taken in some of these nights.`);
}

/** The reservation that a guest already has for the same stay, from an earlier call whose answer may have been lost. */
async function existingReservation(database: Database, stay: Stay): Promise<ReservationRow | null> {
  const { hotelId, room, firstNight, departure, guest } = stay;
  const [night] = await readMany(database, nightsByHotel.get, [{ hotelId, night: firstNight, room }]);
  const [found] = night ? await readMany(database, reservations.get, [night]) : [];
  const isSame = found?.guest === guest && found.firstNight === firstNight && found.departure === departure;
  return isSame ? found : null;
}

/** Writes a reservation under a number that no other has. */
async function store(database: Database, stay: Stay): Promise<ReservationRow> {
  for (;;) {
    const reservation = { ...stay, confirmation: String(randomInt(1e11, 1e12)), madeAt: new Date() };
    const { query, params } = writeOf(reservations, reservation);
    if (!(await database.compareAndWrite([{ query: `${query} IF NOT EXISTS`, params }]))) continue;
    const ofGuest = writeOf(reservationsByGuest, reservation);
    await database.write(ofGuest.query, ofGuest.params);
    return reservation;
  }
}

const readNights =
  'SELECT CAST(night AS text) AS night, room, CAST(confirmation AS text) AS confirmation FROM nights_by_hotel WHERE hotel_id = ? AND night >= ? AND night < ?';

interface Taken {
  readonly night: string;
  readonly room: number;
  readonly confirmation: string;
}

/** Takes the nights for a reservation. Resolves to whether the reservation has them, now or from an earlier call. */
function takeNights(
  database: Database,
  reservation: ReservationRow,
  nights: readonly string[],
): Promise<boolean> {
  const { hotelId, room, confirmation, firstNight, departure } = reservation;
  const read = { cql: readNights, params: [hotelId, firstNight, departure] };
  return decideUntilWritten(database, read, (rows) => {
    const taken = (rows as Taken[]).filter((row) => row.room === room);
    if (taken.length > 0)
      return { writes: [], result: taken.every((row) => row.confirmation === confirmation) };
    const writes = nights.map((night) => {
      const { query, params } = writeOf(nightsByHotel, { hotelId, night, room, confirmation });
      return { query: `${query} IF NOT EXISTS`, params };
    });
    return { writes, result: true };
  });
}

const freeNight =
  'DELETE FROM nights_by_hotel WHERE hotel_id = ? AND night = ? AND room = ? IF confirmation = ?';

/** Gives the nights of a reservation back. Cancelling again changes nothing. */
export async function cancel(database: Database, reservation: ReservationRow): Promise<void> {
  const { hotelId, room, confirmation, firstNight, departure } = reservation;
  const read = { cql: readNights, params: [hotelId, firstNight, departure] };
  await decideUntilWritten(database, read, (rows) => ({
    writes: (rows as Taken[])
      .filter((row) => row.room === room && row.confirmation === confirmation)
      .map(({ night }) => ({ query: freeNight, params: [hotelId, night, room, confirmation] })),
    result: undefined,
  }));
  await forget(database, reservation);
}

async function forget(database: Database, reservation: ReservationRow): Promise<void> {
  for (const { query, params } of [
    removalOf(reservationsByGuest, reservation),
    removalOf(reservations, reservation),
  ])
    await database.write(query, params);
}
