import { Field, Float, ID, InputType } from 'type-graphql';

/** Where a tweet is posted from. */
@InputType()
export class LocationInput {
  @Field(() => Float, { description: 'Degrees north (WGS 84), -90 to 90.' })
  latitude: number;

  @Field(() => Float, { description: 'Degrees east (WGS 84), -180 to 180.' })
  longitude: number;

  @Field(() => String, { nullable: true, description: 'The name of the country, at most 100 graphemes.' })
  country?: string | null;
}

/** A new tweet. */
@InputType()
export class CreateTweetInput {
  @Field(() => String, { description: 'The text: 1 to 500 graphemes.' })
  content: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The tweet that this one replies to; of a share, its original.',
  })
  inReplyTo?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The tweet that this one quotes; of a share, its original.',
  })
  quotes?: string | null;

  @Field(() => String, { nullable: true, description: 'BCP 47; told from the text when not given.' })
  language?: string | null;

  @Field(() => LocationInput, { nullable: true, description: 'Where it is posted from.' })
  location?: LocationInput | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The caller's own, 1 to 100 characters, good for seven days: a repetition with the same key and content answers as the first call did.",
  })
  idempotencyKey?: string | null;
}
