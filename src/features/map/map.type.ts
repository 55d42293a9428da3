import { Field, Float, Int, ObjectType, InputType } from 'type-graphql';

/** A geohash with the number of tweets in it. */
@ObjectType({ simpleResolvers: true })
export class HeatmapCell {
  @Field(() => String, { description: 'The geohash.' })
  geohash: string;

  @Field(() => Float, { description: 'The latitude of its centre, in degrees.' })
  latitude: number;

  @Field(() => Float, { description: 'The longitude of its centre, in degrees.' })
  longitude: number;

  @Field(() => Int, { description: 'How many tweets are in both the geohash and the area.' })
  count: number;
}

/** A box on the map. */
@InputType({
  description:
    'A box on the map, in degrees (WGS 84); its edges belong to it. With `west` greater than `east` it crosses the antimeridian, where 180 and -180 are one longitude.',
})
export class AreaInput {
  @Field(() => Float, { description: '-90 to 90.' })
  south: number;

  @Field(() => Float, { description: '-180 to 180.' })
  west: number;

  @Field(() => Float, { description: '-90 to 90.' })
  north: number;

  @Field(() => Float, { description: '-180 to 180.' })
  east: number;
}
