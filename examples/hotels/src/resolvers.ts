import { GraphQLDate } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import {
  badInput,
  Bounded,
  connect,
  connectNodes,
  ID_BOUNDS,
  idIn,
  isId,
  PageArgs,
  pageOf,
  partitionList,
  Reads,
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

/** The bounds of a reservation's number. */
const CONFIRMATION_BOUNDS = { maxLength: 20 };

/** What lists without pages count: as many rooms as a usual hotel has free, and things that one offers. */
const PER_ROOM = ({ childComplexity }: { readonly childComplexity: number }) => 25 * (1 + childComplexity);
const PER_AMENITY = ({ childComplexity }: { readonly childComplexity: number }) => 5 * (1 + childComplexity);

/** Points of interest, and the hotels near them. */
@Resolver(() => PointOfInterest)
export class PointResolver {
  @Reads(points)
  @Query(() => PointOfInterest, {
    nullable: true,
    description: 'The point with this id; null when there is none. Costs one partition of `points`.',
  })
  pointOfInterest(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() { load }: Context) {
    return load(points.get, { pointId: idIn('PointOfInterest', id) });
  }

  @Reads(pointsByTown)
  @Query(() => PointConnection, {
    description: 'What a town has to be seen. Costs one partition of `points_by_town`.',
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

  @Reads(hotelsByPoint)
  @FieldResolver(() => HotelConnection, {
    description: 'The hotels near it, the nearest first. Costs one partition of `hotels_by_point`.',
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
  @Reads(hotels)
  @Query(() => Hotel, {
    nullable: true,
    description: 'The hotel with this id; null when there is none. Costs one partition of `hotels`.',
  })
  hotel(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() { load }: Context) {
    return load(hotels.get, { hotelId: idIn('Hotel', id) });
  }

  @Reads(pointsByHotel)
  @FieldResolver(() => PointConnection, {
    description: 'What is near it, the nearest first. Costs one partition of `points_by_hotel`.',
  })
  pointsOfInterest(
    @Root() { hotelId }: Hotel,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    return connectNear(partitionList(load, pointsByHotel, { hotelId }), args);
  }

  @Reads(roomsByHotel, nightsByHotel)
  @FieldResolver(() => [Room], {
    complexity: PER_ROOM,
    description:
      'The rooms that are free in each of at most 30 nights, by number. Costs one partition of `rooms_by_hotel` and the nights of one of `nights_by_hotel`.',
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

/** More rooms than any hotel has, and how many taken nights are read at a time. */
const MOST_ROOMS = 10_000;
const NIGHTS_AT_ONCE = 5000;

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
  @Reads(amenitiesByRoom)
  @FieldResolver(() => [Amenity], {
    complexity: PER_AMENITY,
    description: 'By name. Costs one partition of `amenities_by_room`; those of a hotel are some requests.',
  })
  amenities(@Root() { hotelId, room }: Room, @Ctx() { load }: Context) {
    return load(amenitiesByRoom.page, { hotelId, room, limit: 100 });
  }
}

/** Reservations, by number and by guest. */
@Resolver(() => Reservation)
export class ReservationResolver {
  @Reads(reservations, nightsByHotel)
  @Query(() => Reservation, {
    nullable: true,
    description:
      'What is reserved under this number; null when nothing is. Costs one partition of `reservations` and a row of `nights_by_hotel`.',
  })
  async reservation(
    @Bounded(CONFIRMATION_BOUNDS) @Arg('confirmation', () => String) confirmation: string,
    @Ctx() { load }: Context,
  ) {
    const found = isId(confirmation) ? await load(reservations.get, { confirmation }) : null;
    return found && (await stands(load, found)) ? found : null;
  }

  @Reads(reservationsByGuest, nightsByHotel)
  @Query(() => ReservationConnection, {
    description:
      'What a guest reserved, newest first. Costs one partition of `reservations_by_guest` and a row of `nights_by_hotel` each.',
  })
  reservationsOfGuest(
    @Bounded(written(MAX_GUEST_GRAPHEMES)) @Arg('guest', () => String) guest: string,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    const all = partitionList(load, reservationsByGuest, { guest });
    const list = { ...all, shown: (row: ReservationRow) => stands(load, row) };
    return connectNodes(list, args);
  }

  @Reads(hotels)
  @FieldResolver(() => Hotel, {
    description: 'Costs one partition of `hotels`; a page of them is one request.',
  })
  hotel(@Root() { hotelId }: Reservation, @Ctx() { load }: Context) {
    return load(hotels.get, { hotelId });
  }

  @Reads(reservations, nightsByHotel, roomsByHotel)
  @Mutation(() => ReservationPayload, {
    description:
      'Reserves a room: all nights or none; the same stay of the same guest again gives the same reservation. `CONFLICT` where it is taken in one of them, `NOT_FOUND`, `BAD_USER_INPUT`. Costs two lightweight transactions.',
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

  @Reads(reservations)
  @Mutation(() => CancelPayload, {
    description:
      'Gives the nights of a reservation back. Cancelling again succeeds again. Costs a lightweight transaction.',
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
