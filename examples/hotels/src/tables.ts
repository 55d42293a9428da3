import { day, id, int, leases, postingsTables, table, text, timestamp, type Row } from 'murmuration/kit';

/** The greatest sizes of texts in bytes. */
const MAX_NAME_BYTES = 300;
const MAX_DESCRIPTION_BYTES = 2000;
export const MAX_GUEST_BYTES = 1000;

const name = text(MAX_NAME_BYTES);
const description = text(MAX_DESCRIPTION_BYTES);
const pointColumns = { pointId: id, town: name, name, description };
const hotelColumns = { hotelId: id, name, phone: name, address: name };
const reservationColumns = {
  confirmation: id,
  hotelId: id,
  room: int,
  firstNight: day,
  departure: day,
  guest: text(MAX_GUEST_BYTES),
  madeAt: timestamp,
};

/** Points of interest. */
export const points = table('points', pointColumns, { partition: ['pointId'] });

/** The points of interest of a town. */
export const pointsByTown = table('points_by_town', pointColumns, {
  partition: ['town'],
  clustering: ['pointId'],
  order: 'asc',
});

/** Hotels. */
export const hotels = table('hotels', hotelColumns, { partition: ['hotelId'] });

/** Hotels near a point, the nearest first; distances are in metres. */
export const hotelsByPoint = table(
  'hotels_by_point',
  { pointId: id, distance: int, ...hotelColumns },
  { partition: ['pointId'], clustering: ['distance', 'hotelId'], order: 'asc' },
);

/** Points near a hotel, the nearest first; distances are in metres. */
export const pointsByHotel = table(
  'points_by_hotel',
  { hotelId: id, distance: int, ...pointColumns },
  { partition: ['hotelId'], clustering: ['distance', 'pointId'], order: 'asc' },
);

/** A hotel's rooms, by number. */
export const roomsByHotel = table(
  'rooms_by_hotel',
  { hotelId: id, room: int, kind: name, beds: int },
  { partition: ['hotelId'], clustering: ['room'], order: 'asc' },
);

/** What a room offers, by name. */
export const amenitiesByRoom = table(
  'amenities_by_room',
  { hotelId: id, room: int, amenity: name, description },
  { partition: ['hotelId', 'room'], clustering: ['amenity'], order: 'asc' },
);

/** The taken nights; a night without a row is free. They decide whether a reservation is valid. */
export const nightsByHotel = table(
  'nights_by_hotel',
  { hotelId: id, night: day, room: int, confirmation: id },
  { partition: ['hotelId'], clustering: ['night', 'room'], order: 'asc' },
);

/** Reservations, by their numbers. A reservation is valid while its nights have its number. */
export const reservations = table('reservations', reservationColumns, { partition: ['confirmation'] });

/** A guest's reservations, newest first. */
export const reservationsByGuest = table('reservations_by_guest', reservationColumns, {
  partition: ['guest'],
  clustering: ['madeAt', 'confirmation'],
});

/** The tables of each feature. */
export const features = {
  'Points of interest': [points, pointsByTown, hotelsByPoint],
  Hotels: [hotels, pointsByHotel, roomsByHotel, amenitiesByRoom],
  Reservations: [reservations, reservationsByGuest, nightsByHotel],
  Search: [...postingsTables, leases],
};

/** A hotel as it is stored. */
export type HotelRow = Row<typeof hotels>;
/** A reservation as it is stored. */
export type ReservationRow = Row<typeof reservations>;
