import { GraphQLDate } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import {
  badInput,
  visibilityReads,
  Bounded,
  connect,
  connectNodes,
  connectTerms,
  CostExample,
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
  sharedIndex,
  termReads,
  upTo,
  checkedText,
  type List,
  type Load,
  type Place,
  type SmallContext as Context,
} from 'murmuration/kit';
import { hotelIndex, searchedWords } from './hotel-index';
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
  CancelReservationPayload,
  Hotel,
  HotelConnection,
  GUEST,
  PointConnection,
  PointOfInterest,
  Reservation,
  ReservationConnection,
  ReserveRoomPayload,
  ReserveRoomInput,
  Room,
} from './types';

/** How many rooms of a hotel, and how many amenities of a room, are read at most. */
const MAX_ROOMS = 300;
const MAX_AMENITIES = 50;
/** How many taken nights are read at a time, and how many such reads 30 nights of all rooms take at most. */
const NIGHTS_PER_READ = 5000;
const MAX_NIGHT_READS = Math.ceil((30 * MAX_ROOMS) / NIGHTS_PER_READ) + 1;
/** The bounds of a guest's reservations, of which more are read if some are not valid. */
const GUEST_LIST_BOUNDS = { buckets: 5, partitions: 5, continuations: 0 };
/** The bounds of a reservation's number. */
const CONFIRMATION_BOUNDS = { maxLength: 20 };

/** Points of interest, and the hotels near them. */
@Resolver(() => PointOfInterest)
export class PointResolver {
  @Reads(rowsOf(points))
  @Query(() => PointOfInterest, {
    nullable: true,
    description: 'The point of interest with this id; null if there is none.',
  })
  pointOfInterest(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() { load }: Context) {
    return load(points.get, { pointId: idIn('PointOfInterest', id) });
  }

  @Reads(pagesOf(pointsByTown, ONE_PARTITION))
  @Query(() => PointConnection, {
    description: 'The points of interest of a town.',
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
    description: 'The hotels near this point of interest, the nearest first.',
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
    description: 'The hotel with this id; null if there is none.',
  })
  hotel(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() { load }: Context) {
    return load(hotels.get, { hotelId: idIn('Hotel', id) });
  }

  @Reads(...termReads(hotels, ({ words }) => searchedWords(String(words)).length))
  @CostExample('two words', { words: 'grand swan' })
  @Query(() => HotelConnection, {
    description:
      'The hotels that have all of these words in their names and addresses, in any order; case does not matter. `BAD_USER_INPUT` unless there are 1 to 5 words.',
  })
  async searchHotels(
    @Bounded({ maxLength: 100 }) @Arg('words', () => String) words: string,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load, database }: Context,
  ) {
    const terms = searchedWords(words);
    const searched = {
      name: `hotels ${terms.join(' ')}`,
      terms,
      read: ({ id }: Place) => load(hotels.get, { hotelId: id }),
    };
    return connectTerms(load, sharedIndex(database, hotelIndex), searched, args);
  }

  @Reads(pagesOf(pointsByHotel, ONE_PARTITION))
  @FieldResolver(() => PointConnection, {
    description: 'The points of interest near this hotel, the nearest first.',
  })
  pointsOfInterest(
    @Root() { hotelId }: Hotel,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    return connectNear(partitionList(load, pointsByHotel, { hotelId }), args);
  }

  @MaxItems(() => MAX_ROOMS)
  @Reads(
    upTo(roomsByHotel, () => ({ reads: 1, rows: MAX_ROOMS })),
    upTo(nightsByHotel, () => ({ reads: MAX_NIGHT_READS, rows: MAX_NIGHT_READS * NIGHTS_PER_READ })),
  )
  @FieldResolver(() => [Room], {
    description:
      'The rooms that are free in every night of a stay, by number. `BAD_USER_INPUT` unless the stay has 1 to 30 nights.',
  })
  async availableRooms(
    @Root() { hotelId }: Hotel,
    @Arg('firstNight', () => GraphQLDate, { description: 'The first night.' }) firstNight: Date,
    @Arg('departure', () => GraphQLDate, { description: 'The day after the last night.' }) departure: Date,
    @Ctx() { load }: Context,
  ) {
    const nights = nightsOf({ firstNight: dateOf(firstNight), departure: dateOf(departure) });
    const [rooms, taken] = await Promise.all([
      load(roomsByHotel.page, { hotelId, limit: MAX_ROOMS }),
      takenIn(load, hotelId, nights),
    ]);
    return rooms.filter(({ room }) => !taken.has(room));
  }
}

/** The rooms that are taken in any of the nights, which must be consecutive. */
async function takenIn(load: Load, hotelId: string, nights: readonly string[]): Promise<ReadonlySet<number>> {
  const last = nights.at(-1) ?? '';
  const taken = new Set<number>();
  for (let after: readonly unknown[] = [nights[0], -1]; ;) {
    const rows = await load(nightsByHotel.page, { hotelId, after, limit: NIGHTS_PER_READ });
    for (const { night, room } of rows) if (night <= last) taken.add(room);
    const end = rows.at(-1);
    if (end === undefined || rows.length < NIGHTS_PER_READ || end.night > last) return taken;
    after = [end.night, end.room];
  }
}

/** What a room offers. */
@Resolver(() => Room)
export class RoomResolver {
  @MaxItems(() => MAX_AMENITIES)
  @Reads(upTo(amenitiesByRoom, () => ({ reads: 1, rows: MAX_AMENITIES })))
  @FieldResolver(() => [Amenity], {
    description: 'What the room offers, by name.',
  })
  amenities(@Root() { hotelId, room }: Room, @Ctx() { load }: Context) {
    return load(amenitiesByRoom.page, { hotelId, room, limit: MAX_AMENITIES });
  }
}

/** Reservations, by number and by guest. */
@Resolver(() => Reservation)
export class ReservationResolver {
  @Reads(rowsOf(reservations), rowsOf(nightsByHotel))
  @Query(() => Reservation, {
    nullable: true,
    description: 'The reservation with this number; null if there is none.',
  })
  async reservation(
    @Bounded(CONFIRMATION_BOUNDS) @Arg('confirmation', () => String) confirmation: string,
    @Ctx() { load }: Context,
  ) {
    const found = isId(confirmation) ? await load(reservations.get, { confirmation }) : null;
    return found && (await isValid(load, found)) ? found : null;
  }

  @Reads(pagesOf(reservationsByGuest, GUEST_LIST_BOUNDS), visibilityReads(nightsByHotel))
  @Query(() => ReservationConnection, {
    description: 'The reservations of a guest, newest first.',
  })
  reservationsOfGuest(
    @Bounded(GUEST) @Arg('guest', () => String) guest: string,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    const all = partitionList(load, reservationsByGuest, { guest });
    const list = { ...all, bounds: GUEST_LIST_BOUNDS, shown: (row: ReservationRow) => isValid(load, row) };
    return connectNodes(list, args);
  }

  @Reads(rowsOf(hotels))
  @FieldResolver(() => Hotel, {
    description: 'The hotel of the reservation.',
  })
  hotel(@Root() { hotelId }: Reservation, @Ctx() { load }: Context) {
    return load(hotels.get, { hotelId });
  }

  @Reads(rowsOf(reservations), rowsOf(nightsByHotel), rowsOf(roomsByHotel))
  @Mutation(() => ReserveRoomPayload, {
    nullable: true,
    description:
      'Reserves a room for all nights or none; repeated for the same stay and guest, it returns the same reservation. Fails with `CONFLICT` if the room is taken in one of the nights, `NOT_FOUND` if there is no such room, or `BAD_USER_INPUT` unless the stay has 1 to 30 nights and the guest a name.',
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
      guest: checkedText('guest', input.guest, GUEST),
    };
    return { reservation: await reserve(database, stay) };
  }

  @Reads(rowsOf(reservations))
  @Mutation(() => CancelReservationPayload, {
    nullable: true,
    description:
      'Cancels a reservation, whose nights are free again; cancelling it again succeeds. Fails with `BAD_USER_INPUT` if the confirmation is not a number.',
  })
  async cancelReservation(
    @Bounded(CONFIRMATION_BOUNDS) @Arg('confirmation', () => String) confirmation: string,
    @Ctx() { load, database }: Context,
  ) {
    if (!isId(confirmation))
      throw badInput(
        `The confirmation must be a number, but got: ${JSON.stringify(confirmation.slice(0, 100))}`,
      );
    const found = await load(reservations.get, { confirmation });
    if (found) await cancel(database, found);
    return { confirmation };
  }
}

/** Whether a reservation is valid: it must have its nights. */
async function isValid(load: Load, { hotelId, firstNight: night, room, confirmation }: ReservationRow) {
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
