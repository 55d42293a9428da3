import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { GraphQLDate } from 'graphql-scalars';
import { Bounded, ConnectionOf, DateTime, EdgeOf, ID_BOUNDS, Node, written, type Row } from 'murmuration/kit';
import type { hotels, points, ReservationRow, roomsByHotel } from './tables';

/** A hotel; its properties are the columns of each table of hotels. */
@ObjectType({ implements: Node, simpleResolvers: true, description: 'A hotel. Comes whole with its lists.' })
export class Hotel extends Node implements Row<typeof hotels> {
  @Field(() => String, { description: 'Comes with the hotel.' })
  name: string;

  @Field(() => String, { description: 'Comes with the hotel.' })
  phone: string;

  @Field(() => String, { description: 'Comes with the hotel.' })
  address: string;

  hotelId: string;
}

/** A point of interest; its properties are the columns of each table of points. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'What is worth a visit. Comes whole with its lists.',
})
export class PointOfInterest extends Node implements Row<typeof points> {
  @Field(() => String, { description: 'Comes with the point.' })
  town: string;

  @Field(() => String, { description: 'Comes with the point.' })
  name: string;

  @Field(() => String, { description: 'Comes with the point.' })
  description: string;

  pointId: string;
}

/** A room of a hotel. */
@ObjectType({ simpleResolvers: true })
export class Room implements Row<typeof roomsByHotel> {
  @Field(() => Int, { description: 'Its number in the hotel. Comes with the list.' })
  room: number;

  @Field(() => String, { description: 'Comes with the list.' })
  kind: string;

  @Field(() => Int, { description: 'Comes with the list.' })
  beds: number;

  hotelId: string;
}

/** What a room offers. */
@ObjectType({ simpleResolvers: true })
export class Amenity {
  @Field(() => String, { description: 'Its name. Comes with the list.' })
  amenity: string;

  @Field(() => String, { description: 'Comes with the list.' })
  description: string;
}

/** A reservation that stands. */
@ObjectType({ simpleResolvers: true })
export class Reservation implements ReservationRow {
  @Field(() => String, { description: 'Its number: twelve digits.' })
  confirmation: string;

  @Field(() => Int, { description: 'The room. Comes with the reservation.' })
  room: number;

  @Field(() => GraphQLDate, { description: 'Comes with the reservation.' })
  firstNight: string;

  @Field(() => GraphQLDate, { description: 'The day after the last night. Comes with the reservation.' })
  departure: string;

  @Field(() => String, { description: 'Comes with the reservation.' })
  guest: string;

  @Field(() => DateTime, { description: 'Comes with the reservation.' })
  madeAt: Date;

  hotelId: string;
}

/** A hotel near a point. */
@ObjectType({ simpleResolvers: true })
export class HotelEdge extends EdgeOf(() => Hotel) {
  @Field(() => Int, { description: 'Metres from the point. Comes with the page.' })
  distance: number;
}

/** A page of hotels. */
@ObjectType({ simpleResolvers: true })
export class HotelConnection extends ConnectionOf(() => HotelEdge) {
  @Field(() => [Hotel], { description: 'Comes with the page.' })
  nodes: Hotel[];
}

/** A point near a hotel, or of a town. */
@ObjectType({ simpleResolvers: true })
export class PointEdge extends EdgeOf(() => PointOfInterest) {
  @Field(() => Int, {
    nullable: true,
    description: 'Metres from the hotel; null in a list of a town. Comes with the page.',
  })
  distance: number | null;
}

/** A page of points of interest. */
@ObjectType({ simpleResolvers: true })
export class PointConnection extends ConnectionOf(() => PointEdge) {
  @Field(() => [PointOfInterest], { description: 'Comes with the page.' })
  nodes: PointOfInterest[];
}

/** A reservation's place in a list. */
@ObjectType({ simpleResolvers: true })
export class ReservationEdge extends EdgeOf(() => Reservation) {}

/** A page of reservations. */
@ObjectType({ simpleResolvers: true })
export class ReservationConnection extends ConnectionOf(() => ReservationEdge) {
  @Field(() => [Reservation], { description: 'Comes with the page.' })
  nodes: Reservation[];
}

export const MAX_GUEST_GRAPHEMES = 100;

/** What to reserve. */
@InputType()
export class ReserveRoomInput {
  @Bounded(ID_BOUNDS)
  @Field(() => ID, { description: 'The hotel.' })
  hotelId: string;

  @Field(() => Int, { description: "The room's number." })
  room: number;

  @Field(() => GraphQLDate, { description: 'The first night.' })
  firstNight: Date;

  @Field(() => GraphQLDate, { description: 'The day after the last night: at most 30 nights.' })
  departure: Date;

  @Bounded(written(MAX_GUEST_GRAPHEMES))
  @Field(() => String, { description: 'Who comes; not empty.' })
  guest: string;
}

/** What reserving answers. */
@ObjectType({ simpleResolvers: true })
export class ReservationPayload {
  @Field(() => Reservation, { description: 'The reservation.' })
  reservation: Reservation;
}

/** What cancelling answers. */
@ObjectType({ simpleResolvers: true })
export class CancelPayload {
  @Field(() => String, { description: 'The number of what is no more.' })
  confirmation: string;
}
