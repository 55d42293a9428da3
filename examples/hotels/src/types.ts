import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { GraphQLDate } from 'graphql-scalars';
import { Bounded, ConnectionOf, DateTime, EdgeOf, ID_BOUNDS, Node, written, type Row } from 'murmuration/kit';
import { MAX_GUEST_BYTES, type hotels, type points, type ReservationRow, type roomsByHotel } from './tables';

/** A hotel; its properties are the columns of each table of hotels. */
@ObjectType({ implements: Node, simpleResolvers: true, description: 'A hotel.' })
export class Hotel extends Node implements Row<typeof hotels> {
  @Field(() => String, { description: 'The name of the hotel.' })
  name: string;

  @Field(() => String, { description: 'The phone number of the hotel.' })
  phone: string;

  @Field(() => String, { description: 'The postal address of the hotel.' })
  address: string;

  hotelId: string;
}

/** A point of interest; its properties are the columns of each table of points. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A point of interest: something that is worth a visit.',
})
export class PointOfInterest extends Node implements Row<typeof points> {
  @Field(() => String, { description: 'The town that it is in.' })
  town: string;

  @Field(() => String, { description: 'The name of the point of interest.' })
  name: string;

  @Field(() => String, { description: 'A short text about it.' })
  description: string;

  pointId: string;
}

/** A room of a hotel. */
@ObjectType({ simpleResolvers: true })
export class Room implements Row<typeof roomsByHotel> {
  @Field(() => Int, { description: 'The number of the room in its hotel.' })
  room: number;

  @Field(() => String, { description: 'The kind of room: `single`, `double` or `family`.' })
  kind: string;

  @Field(() => Int, { description: 'How many beds the room has.' })
  beds: number;

  hotelId: string;
}

/** What a room offers. */
@ObjectType({ simpleResolvers: true })
export class Amenity {
  @Field(() => String, { description: 'Its name.' })
  amenity: string;

  @Field(() => String, { description: 'A short text about it.' })
  description: string;
}

/** A valid reservation. */
@ObjectType({ simpleResolvers: true })
export class Reservation implements ReservationRow {
  @Field(() => String, { description: 'Its number: twelve digits.' })
  confirmation: string;

  @Field(() => Int, { description: 'The number of the room in its hotel.' })
  room: number;

  @Field(() => GraphQLDate, { description: 'The first night.' })
  firstNight: string;

  @Field(() => GraphQLDate, { description: 'The day after the last night.' })
  departure: string;

  @Field(() => String, { description: 'The name of the guest.' })
  guest: string;

  @Field(() => DateTime, { description: 'When the reservation was made.' })
  madeAt: Date;

  hotelId: string;
}

/** A hotel near a point, or that a search found. */
@ObjectType({ simpleResolvers: true })
export class HotelEdge extends EdgeOf(() => Hotel) {
  @Field(() => Int, {
    nullable: true,
    description: 'The distance from the point of interest, in metres; null in a search.',
  })
  distance: number | null;
}

/** A page of hotels. */
@ObjectType({ simpleResolvers: true })
export class HotelConnection extends ConnectionOf(() => HotelEdge) {
  @Field(() => [Hotel], { description: 'The hotels of the page.' })
  nodes: Hotel[];
}

/** A point of interest near a hotel or in a town. */
@ObjectType({ simpleResolvers: true })
export class PointEdge extends EdgeOf(() => PointOfInterest) {
  @Field(() => Int, {
    nullable: true,
    description: 'The distance from the hotel, in metres; null in the list of a town.',
  })
  distance: number | null;
}

/** A page of points of interest. */
@ObjectType({ simpleResolvers: true })
export class PointConnection extends ConnectionOf(() => PointEdge) {
  @Field(() => [PointOfInterest], { description: 'The points of interest of the page.' })
  nodes: PointOfInterest[];
}

/** A reservation in a list, with its cursor. */
@ObjectType({ simpleResolvers: true })
export class ReservationEdge extends EdgeOf(() => Reservation) {}

/** A page of reservations. */
@ObjectType({ simpleResolvers: true })
export class ReservationConnection extends ConnectionOf(() => ReservationEdge) {
  @Field(() => [Reservation], { description: 'The reservations of the page.' })
  nodes: Reservation[];
}

/** The bounds of a guest's name. */
export const GUEST = written(100, MAX_GUEST_BYTES);

/** What to reserve. */
@InputType()
export class ReserveRoomInput {
  @Bounded(ID_BOUNDS)
  @Field(() => ID, { description: 'The hotel.' })
  hotelId: string;

  @Field(() => Int, { description: 'The number of the room.' })
  room: number;

  @Field(() => GraphQLDate, { description: 'The first night.' })
  firstNight: Date;

  @Field(() => GraphQLDate, { description: 'The day after the last night. A stay has at most 30 nights.' })
  departure: Date;

  @Bounded(GUEST)
  @Field(() => String, { description: 'The name of the guest; must not be empty.' })
  guest: string;
}

/** The answer of `reserveRoom`. */
@ObjectType({ simpleResolvers: true })
export class ReserveRoomPayload {
  @Field(() => Reservation, { description: 'The reservation.' })
  reservation: Reservation;
}

/** The answer of `cancelReservation`. */
@ObjectType({ simpleResolvers: true })
export class CancelReservationPayload {
  @Field(() => String, { description: 'The number of the cancelled reservation.' })
  confirmation: string;
}
