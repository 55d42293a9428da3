import { GraphQLDate } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import {
  badInput,
  checksOf,
  Bounded,
  connect,
  connectNodes,
  ID_BOUNDS,
  idIn,
  isId,
  MaxItems,
  ONE_PARTITION,
  PageArgs,
  pageOf,
  pagesOf,
  partitionList,
  Reads,
  rowsOf,
  upTo,
  written,
  writtenText,
  type List,
  type Load,
  type SmallContext as Context,
} from 'murmuration/kit';
import { cancel, dateOf, nightsOf, reserve } from './reserve';
import {
  amenitiesByRoom,
  hotels,
  hotelsByPoint,
  nightsByHotel,
  points,
  pointsByHotel,
  pointsByTown,
  reservations,
  reservationsByGuest,
  roomsByHotel,
  type ReservationRow,
} from './tables';
import {
  Amenity,
  CancelPayload,
  Hotel,
  HotelConnection,
  MAX_GUEST_GRAPHEMES,
  PointConnection,
  PointOfInterest,
  Reservation,
  ReservationConnection,
  ReservationPayload,
  ReserveRoomInput,
  Room,
} from './types';

/** The most rooms of a hotel whose amenities a query may ask for, and amenities of a room. */
const MOST_ROOMS = 300;
const MOST_AMENITIES = 50;
/** How many taken nights are read at a time; of 30 nights there are at most so many. */
const NIGHTS_AT_ONCE = 5000;
const NIGHT_READS = Math.ceil((30 * MOST_ROOMS) / NIGHTS_AT_ONCE) + 1;
/** A guest's reservations are read again where some of a page were cancelled. */
const CHECKED = { buckets: 5, partitions: 5, continuations: 0 };
/** The bounds of a reservation's number. */
const CONFIRMATION_BOUNDS = { maxLength: 20 };

/** Points of interest, and the hotels near them. */
@Resolver(() => PointOfInterest)
export class PointResolver {
  @Reads(rowsOf(points))
  @Query(() => PointOfInterest, {
    nullable: true,
    description: 'The point with this id; null when there is none.',
  })
  pointOfInterest(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() { load }: Context) {
    return load(points.get, { pointId: idIn('PointOfInterest', id) });
  }

  @Reads(pagesOf(pointsByTown, ONE_PARTITION))
  @Query(() => PointConnection, {
    description: 'What a town has to be seen.',
  })
  pointsOfTown(
    @Bounded({ maxLength: 100 }) @Arg('town', () => String) town: string,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    const list = partitionList(load, pointsByTown, { town });
    return connect(
      list,
      pageOf(list.name, args),
      (node, cursor) => ({ cursor, node, distance: null }),
      (node) => node,
    );
  }

  @Reads(pagesOf(hotelsByPoint, ONE_PARTITION))
  @FieldResolver(() => HotelConnection, {
    description: 'The hotels near it, the nearest first.',
  })
  hotels(
    @Root() { pointId }: PointOfInterest,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    return connectNear(partitionList(load, hotelsByPoint, { pointId }), args);
  }
}

/** Hotels, what is near them, and their rooms. */
@Resolver(() => Hotel)
export class HotelResolver {
  @Reads(rowsOf(hotels))
  @Query(() => Hotel, {
    nullable: true,
    description: 'The hotel with this id; null when there is none.',
  })
  hotel(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() { load }: Context) {
    return load(hotels.get, { hotelId: idIn('Hotel', id) });
  }

  @Reads(pagesOf(pointsByHotel, ONE_PARTITION))
  @FieldResolver(() => PointConnection, {
    description: 'What is near it, the nearest first.',
  })
  pointsOfInterest(
    @Root() { hotelId }: Hotel,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    return connectNear(partitionList(load, pointsByHotel, { hotelId }), args);
  }

  @MaxItems(() => MOST_ROOMS)
  @Reads(
    upTo(roomsByHotel, () => ({ reads: 1, rows: MOST_ROOMS })),
    upTo(nightsByHotel, () => ({ reads: NIGHT_READS, rows: NIGHT_READS * NIGHTS_AT_ONCE })),
  )
  @FieldResolver(() => [Room], {
    description: 'The rooms that are free in each of at most 30 nights, by number.',
  })
  async availableRooms(
    @Root() { hotelId }: Hotel,
    @Arg('firstNight', () => GraphQLDate, { description: 'The first night.' }) firstNight: Date,
    @Arg('departure', () => GraphQLDate, { description: 'The day after the last night.' }) departure: Date,
    @Ctx() { load }: Context,
  ) {
    const nights = nightsOf({ firstNight: dateOf(firstNight), departure: dateOf(departure) });
    const [rooms, taken] = await Promise.all([
      load(roomsByHotel.page, { hotelId, limit: MOST_ROOMS }),
      takenIn(load, hotelId, nights),
    ]);
    return rooms.filter(({ room }) => !taken.has(room));
  }
}

/** The rooms that are taken in any of some nights, which follow each other. */
async function takenIn(load: Load, hotelId: string, nights: readonly string[]): Promise<ReadonlySet<number>> {
  const last = nights.at(-1) ?? '';
  const taken = new Set<number>();
  for (let after: readonly unknown[] = [nights[0], -1]; ;) {
    const rows = await load(nightsByHotel.page, { hotelId, after, limit: NIGHTS_AT_ONCE });
    for (const { night, room } of rows) if (night <= last) taken.add(room);
    const end = rows.at(-1);
    if (end === undefined || rows.length < NIGHTS_AT_ONCE || end.night > last) return taken;
    after = [end.night, end.room];
  }
}

/** What a room offers. */
@Resolver(() => Room)
export class RoomResolver {
  @MaxItems(() => MOST_AMENITIES)
  @Reads(upTo(amenitiesByRoom, () => ({ reads: 1, rows: MOST_AMENITIES })))
  @FieldResolver(() => [Amenity], {
    description: 'By name. Those of a hotel are some requests.',
  })
  amenities(@Root() { hotelId, room }: Room, @Ctx() { load }: Context) {
    return load(amenitiesByRoom.page, { hotelId, room, limit: MOST_AMENITIES });
  }
}

/** Reservations, by number and by guest. */
@Resolver(() => Reservation)
export class ReservationResolver {
  @Reads(rowsOf(reservations), rowsOf(nightsByHotel))
  @Query(() => Reservation, {
    nullable: true,
    description: 'What is reserved under this number; null when nothing is.',
  })
  async reservation(
    @Bounded(CONFIRMATION_BOUNDS) @Arg('confirmation', () => String) confirmation: string,
    @Ctx() { load }: Context,
  ) {
    const found = isId(confirmation) ? await load(reservations.get, { confirmation }) : null;
    return found && (await stands(load, found)) ? found : null;
  }

  @Reads(pagesOf(reservationsByGuest, CHECKED), checksOf(nightsByHotel))
  @Query(() => ReservationConnection, {
    description: 'What a guest reserved, newest first.',
  })
  reservationsOfGuest(
    @Bounded(written(MAX_GUEST_GRAPHEMES)) @Arg('guest', () => String) guest: string,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    const all = partitionList(load, reservationsByGuest, { guest });
    const list = { ...all, bounds: CHECKED, shown: (row: ReservationRow) => stands(load, row) };
    return connectNodes(list, args);
  }

  @Reads(rowsOf(hotels))
  @FieldResolver(() => Hotel, {
    description: 'A page of them is one request.',
  })
  hotel(@Root() { hotelId }: Reservation, @Ctx() { load }: Context) {
    return load(hotels.get, { hotelId });
  }

  @Reads(rowsOf(reservations), rowsOf(nightsByHotel), rowsOf(roomsByHotel))
  @Mutation(() => ReservationPayload, {
    description:
      'Reserves a room: all nights or none; the same stay of the same guest again gives the same reservation. `CONFLICT` where it is taken in one of them, `NOT_FOUND`, `BAD_USER_INPUT`. Writes by two lightweight transactions.',
  })
  async reserveRoom(
    @Arg('input', () => ReserveRoomInput) input: ReserveRoomInput,
    @Ctx() { database }: Context,
  ) {
    const stay = {
      hotelId: idIn('Hotel', input.hotelId),
      room: input.room,
      firstNight: dateOf(input.firstNight),
      departure: dateOf(input.departure),
      guest: writtenText('guest', input.guest, MAX_GUEST_GRAPHEMES),
    };
    return { reservation: await reserve(database, stay) };
  }

  @Reads(rowsOf(reservations))
  @Mutation(() => CancelPayload, {
    description:
      'Gives the nights of a reservation back. Cancelling again succeeds again. Writes by a lightweight transaction.',
  })
  async cancelReservation(
    @Bounded(CONFIRMATION_BOUNDS) @Arg('confirmation', () => String) confirmation: string,
    @Ctx() { load, database }: Context,
  ) {
    if (!isId(confirmation))
      throw badInput(`A confirmation is a number, but got: ${JSON.stringify(confirmation.slice(0, 100))}`);
    const found = await load(reservations.get, { confirmation });
    if (found) await cancel(database, found);
    return { confirmation };
  }
}

/** Whether a reservation has its nights: only then does it count. */
async function stands(load: Load, { hotelId, firstNight: night, room, confirmation }: ReservationRow) {
  const taken = await load(nightsByHotel.get, { hotelId, night, room });
  return taken?.confirmation === confirmation;
}

function connectNear<R extends { readonly distance: number }>(list: List<R>, args: PageArgs) {
  return connect(
    list,
    pageOf(list.name, args),
    (node, cursor) => ({ cursor, node, distance: node.distance }),
    (node) => node,
  );
}
