import { randomInt } from 'node:crypto';
import {
  badInput,
  conflict,
  decideUntilWritten,
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

const DAY = 86_400_000;
const MOST_NIGHTS = 30;

/** What a guest asks for. */
export type Stay = Pick<ReservationRow, 'hotelId' | 'room' | 'firstNight' | 'departure' | 'guest'>;

/** A day as it is stored. */
export function dateOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** The nights from one day to another, that of departure not among them. Throws `BAD_USER_INPUT` where there are none or more than 30. */
export function nightsOf({ firstNight, departure }: Pick<Stay, 'firstNight' | 'departure'>): string[] {
  const first = Date.parse(firstNight);
  const count = (Date.parse(departure) - first) / DAY;
  if (count < 1 || count > MOST_NIGHTS)
    throw badInput(
      `A stay is 1 to ${MOST_NIGHTS} nights, but from ${firstNight} to ${departure} are ${count}.`,
    );
  return Array.from({ length: count }, (_, night) => dateOf(new Date(first + night * DAY)));
}

/**
 * Reserves a room: all nights or none. The reservation is written first and stands once its nights bear its number, which one
 * conditional batch on the hotel's partition decides: so of two who race for a night exactly one has it, and whoever is
 * cut off leaves nothing that counts. Repeating it gives the same reservation. `CONFLICT` where a night is taken, `NOT_FOUND` where there is no such room.
 */
export async function reserve(database: Database, stay: Stay): Promise<ReservationRow> {
  const nights = nightsOf(stay);
  const [room] = await readMany(database, roomsByHotel.get, [stay]);
  if (room == null) throw notFound(`Hotel ${stay.hotelId} has no room ${stay.room}.`);
  const reservation = await store(database, stay);
  if (await takeNights(database, reservation, nights)) return reservation;
  await forget(database, reservation);
  const same = await membership(database, stay);
  if (same) return same;
  throw conflict(`Room ${stay.room} is taken in some of these nights.`);
}

/** The reservation that a guest has for a stay already: that of an earlier call, whose answer may not have come. */
async function membership(database: Database, stay: Stay): Promise<ReservationRow | null> {
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

/** Whether the nights are the reservation's, now or already. */
function takeNights(
  database: Database,
  reservation: ReservationRow,
  nights: readonly string[],
): Promise<boolean> {
  const { hotelId, room, confirmation, firstNight, departure } = reservation;
  const read = { cql: readNights, params: [hotelId, firstNight, departure] };
  return decideUntilWritten(database, read, (rows) => {
    const taken = (rows as Taken[]).filter((one) => one.room === room);
    if (taken.length > 0)
      return { writes: [], result: taken.every((one) => one.confirmation === confirmation) };
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
      .filter((one) => one.room === room && one.confirmation === confirmation)
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
