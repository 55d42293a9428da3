import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Bounded, ConnectionOf, DateTime, EdgeOf, ID_BOUNDS, Node } from 'murmuration/kit';
import { Unit } from './units';

registerEnumType(Unit, { name: 'Unit', description: 'Over what readings are summed up, in UTC.' });

/** A weather station. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A weather station. Comes whole with its list.',
})
export class Station extends Node {
  @Field(() => String, { description: 'Comes with the station.' })
  name: string;

  @Field(() => String, { description: 'Comes with the station.' })
  region: string;

  stationId: string;
}

/** What a station measured at a moment. */
@ObjectType({ simpleResolvers: true })
export class Reading {
  @Field(() => DateTime, { description: 'When. Comes with the reading.' })
  at: Date;

  @Field(() => Float, { description: 'Degrees Celsius. Comes with the reading.' })
  temperature: number;

  @Field(() => Float, { description: 'Per cent. Comes with the reading.' })
  humidity: number;

  @Field(() => Float, { description: 'Metres a second. Comes with the reading.' })
  wind: number;
}

/** A station with what it measured last. */
@ObjectType({ simpleResolvers: true })
export class StationEdge extends EdgeOf(() => Station) {
  @Field(() => Reading, { description: 'What it measured last. Comes with the page.' })
  latest: Reading;
}

/** A page of stations. */
@ObjectType({ simpleResolvers: true })
export class StationConnection extends ConnectionOf(() => StationEdge) {
  @Field(() => [Station], { description: 'Comes with the page.' })
  nodes: Station[];
}

/** A reading's place in a list. */
@ObjectType({ simpleResolvers: true })
export class ReadingEdge extends EdgeOf(() => Reading) {}

/** A page of readings. */
@ObjectType({ simpleResolvers: true })
export class ReadingConnection extends ConnectionOf(() => ReadingEdge) {
  @Field(() => [Reading], { description: 'Comes with the page.' })
  nodes: Reading[];
}

/** How warm it was in a range of time. */
@ObjectType({ simpleResolvers: true })
export class Summary {
  @Field(() => DateTime, { description: 'When the range begins. Comes with the list.' })
  at: Date;

  @Field(() => Int, { description: 'How many readings there are of it. Comes with the list.' })
  readings: number;

  @Field(() => Float, { description: 'Degrees Celsius. Comes with the list.' })
  least: number;

  @Field(() => Float, { description: 'Degrees Celsius. Comes with the list.' })
  greatest: number;

  total: number;
}

/** What a station measured. */
@InputType()
export class ReadingInput {
  @Bounded(ID_BOUNDS)
  @Field(() => ID, { description: 'The station.' })
  stationId: string;

  @Field(() => DateTime, { description: 'When.' })
  at: Date;

  @Field(() => Float, { description: 'Degrees Celsius.' })
  temperature: number;

  @Field(() => Float, { description: 'Per cent.' })
  humidity: number;

  @Field(() => Float, { description: 'Metres a second.' })
  wind: number;
}

/** What adding readings answers. */
@ObjectType({ simpleResolvers: true })
export class AddedPayload {
  @Field(() => Int, { description: 'How many were stored: those of known stations.' })
  stored: number;
}
