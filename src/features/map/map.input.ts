import { Field, Float, InputType } from 'type-graphql';

/** A box on the map. */
@InputType({
  description:
    'A box on the map, in degrees (WGS 84); its edges belong to it. With `west` greater than `east` it crosses the antimeridian.',
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
