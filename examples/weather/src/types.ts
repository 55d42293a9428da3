import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Bounded, ConnectionOf, DateTime, EdgeOf, ID_BOUNDS, Node } from 'murmuration/kit';
import { Unit } from './units';

registerEnumType(Unit, {
  name: 'Unit',
  description: 'The length of time over which readings are summed up, in UTC.',
});

/** A weather station. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A weather station.',
})
export class Station extends Node {
  @Field(() => String, { description: 'The name of the station.' })
  name: string;

  @Field(() => String, { description: 'The region that the station is in.' })
  region: string;

  stationId: string;
}

/** What a station measured at a moment. */
@ObjectType({ simpleResolvers: true })
export class Reading {
  @Field(() => DateTime, { description: 'When the station measured this.' })
  at: Date;

  @Field(() => Float, { description: 'The temperature, in degrees Celsius.' })
  temperature: number;

  @Field(() => Float, { description: 'The relative humidity, in per cent.' })
  humidity: number;

  @Field(() => Float, { description: 'The speed of the wind, in metres per second.' })
  wind: number;
}

/** A station with what it measured last. */
@ObjectType({ simpleResolvers: true })
export class StationEdge extends EdgeOf(() => Station) {
  @Field(() => Reading, { description: 'The latest reading of the station.' })
  latest: Reading;
}

/** A page of stations. */
@ObjectType({ simpleResolvers: true })
export class StationConnection extends ConnectionOf(() => StationEdge) {
  @Field(() => [Station], { description: 'The stations of the page.' })
  nodes: Station[];
}

/** A reading in a list, with its cursor. */
@ObjectType({ simpleResolvers: true })
export class ReadingEdge extends EdgeOf(() => Reading) {}

/** A page of readings. */
@ObjectType({ simpleResolvers: true })
export class ReadingConnection extends ConnectionOf(() => ReadingEdge) {
  @Field(() => [Reading], { description: 'The readings of the page.' })
  nodes: Reading[];
}

/** How warm it was in a range of time. */
@ObjectType({ simpleResolvers: true })
export class Summary {
  @Field(() => DateTime, { description: 'When the minute, hour or day begins.' })
  at: Date;

  @Field(() => Int, { description: 'How many readings are summed up.' })
  readings: number;

  @Field(() => Float, { description: 'The lowest temperature, in degrees Celsius.' })
  least: number;

  @Field(() => Float, { description: 'The highest temperature, in degrees Celsius.' })
  greatest: number;

  total: number;
}

/** What a station measured. */
@InputType()
export class ReadingInput {
  @Bounded(ID_BOUNDS)
  @Field(() => ID, { description: 'The station.' })
  stationId: string;

  @Field(() => DateTime, { description: 'When the station measured this: at most a day ahead.' })
  at: Date;

  @Field(() => Float, { description: 'The temperature, in degrees Celsius: -100 to 100.' })
  temperature: number;

  @Field(() => Float, { description: 'The relative humidity, in per cent: 0 to 100.' })
  humidity: number;

  @Field(() => Float, { description: 'The speed of the wind, in metres per second: 0 to 150.' })
  wind: number;
}

/** The answer of `addReadings`. */
@ObjectType({ simpleResolvers: true })
export class AddReadingsPayload {
  @Field(() => Int, { description: 'How many readings were stored: those of known stations.' })
  stored: number;
}
