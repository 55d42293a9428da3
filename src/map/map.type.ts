import { Field, Float, Int, ObjectType } from 'type-graphql';

/** A geohash with the tweets in it. */
@ObjectType({ simpleResolvers: true })
export class HeatmapCell {
  @Field(() => String, { description: 'The geohash.' })
  geohash: string;

  @Field(() => Float, { description: 'Of the centre, in degrees.' })
  latitude: number;

  @Field(() => Float, { description: 'Of the centre, in degrees.' })
  longitude: number;

  @Field(() => Int, { description: 'Tweets in the geohash that are in the area, too.' })
  count: number;
}
