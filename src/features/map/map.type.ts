import { Field, Float, Int, ObjectType } from 'type-graphql';

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
