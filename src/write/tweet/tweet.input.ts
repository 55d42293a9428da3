import { Field, Float, ID, InputType } from 'type-graphql';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { KEY_BOUNDS } from '../../kit/data/idempotency';
import { written } from '../../kit/input/input-text';
import { LANGUAGE_BOUNDS } from '../../tweet/language';

export const MAX_CONTENT_GRAPHEMES = 500;
export const MAX_COUNTRY_GRAPHEMES = 100;

/** Where a tweet is posted from. */
@InputType()
export class LocationInput {
  @Field(() => Float, { description: 'Degrees north (WGS 84), -90 to 90.' })
  latitude: number;

  @Field(() => Float, { description: 'Degrees east (WGS 84), -180 to 180.' })
  longitude: number;

  @Bounded(written(MAX_COUNTRY_GRAPHEMES))
  @Field(() => String, { nullable: true, description: 'The name of the country.' })
  country?: string | null;
}

/** A new tweet. */
@InputType()
export class CreateTweetInput {
  @Bounded(written(MAX_CONTENT_GRAPHEMES))
  @Field(() => String, { description: 'The text, not empty.' })
  content: string;

  @Bounded(ID_BOUNDS)
  @Field(() => ID, {
    nullable: true,
    description: 'The tweet that this one replies to; of a share, its original.',
  })
  inReplyTo?: string | null;

  @Bounded(ID_BOUNDS)
  @Field(() => ID, {
    nullable: true,
    description: 'The tweet that this one quotes; of a share, its original.',
  })
  quotes?: string | null;

  @Bounded(LANGUAGE_BOUNDS)
  @Field(() => String, { nullable: true, description: 'BCP 47; told from the text when not given.' })
  language?: string | null;

  @Field(() => LocationInput, { nullable: true, description: 'Where it is posted from.' })
  location?: LocationInput | null;

  @Bounded(KEY_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description:
      "The caller's own, not empty, good for seven days: a repetition with the same key and content answers as the first call did.",
  })
  idempotencyKey?: string | null;
}
