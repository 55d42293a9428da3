import { Field, Float, ID, InputType } from 'type-graphql';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { KEY_BOUNDS } from '../../kit/writes/idempotency';
import { written } from '../../kit/input/input-text';
import { LANGUAGE_BOUNDS } from '../../features/tweet/language';
import { MAX_COUNTRY_BYTES } from '../../features/tweet/tweet.table';

/** The bounds of the text of a tweet that is posted here. Imported ones may be longer: see `MAX_CONTENT_BYTES`. */
export const CONTENT = written(500, 4000);
/** The bounds of the name of a country. */
export const COUNTRY = written(100, MAX_COUNTRY_BYTES);

/** The place from which a tweet is posted. */
@InputType()
export class LocationInput {
  @Field(() => Float, { description: 'Degrees north (WGS 84), -90 to 90.' })
  latitude: number;

  @Field(() => Float, { description: 'Degrees east (WGS 84), -180 to 180.' })
  longitude: number;

  @Bounded(COUNTRY)
  @Field(() => String, { nullable: true, description: 'The name of the country.' })
  country?: string | null;
}

/** A new tweet. */
@InputType()
export class CreateTweetInput {
  @Bounded(CONTENT)
  @Field(() => String, { description: 'The text, not blank.' })
  content: string;

  @Bounded(ID_BOUNDS)
  @Field(() => ID, {
    nullable: true,
    description: 'The tweet that this one replies to. If it is a share, its original is meant.',
  })
  inReplyTo?: string | null;

  @Bounded(ID_BOUNDS)
  @Field(() => ID, {
    nullable: true,
    description: 'The tweet that this one quotes. If it is a share, its original is meant.',
  })
  quotes?: string | null;

  @Bounded(LANGUAGE_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description:
      'The language as a BCP 47 tag, of which only the language is kept: `und` if it is not registered. Detected from the text when not given.',
  })
  language?: string | null;

  @Field(() => LocationInput, { nullable: true, description: 'Where the tweet is posted from.' })
  location?: LocationInput | null;

  @Bounded(KEY_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description:
      'Makes the call safe to repeat: within seven days, the same key with the same content returns what the first call created. Chosen by the caller, not empty.',
  })
  idempotencyKey?: string | null;
}
