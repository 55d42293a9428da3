import { Field, InputType } from 'type-graphql';
import { Bounded } from '../../kit/input/input-bounds';
import { KEY_BOUNDS } from '../../kit/data/idempotency';
import { written } from '../../kit/input/input-text';

export const MAX_NAME_GRAPHEMES = 100;
export const MAX_DESCRIPTION_GRAPHEMES = 500;

/** The bounds of a name that is made here, by which a user is known. */
const OWN_NAME_BOUNDS = { maxLength: 30 };

/** A new user. */
@InputType()
export class CreateUserInput {
  @Bounded(OWN_NAME_BOUNDS)
  @Field(() => String, {
    description: 'Letters, digits and `_`, not empty; unique irrespective of case, and for ever.',
  })
  username: string;

  @Bounded(written(MAX_NAME_GRAPHEMES))
  @Field(() => String, { description: 'What the person wants to be called; not empty.' })
  name: string;

  @Bounded(written(MAX_DESCRIPTION_GRAPHEMES))
  @Field(() => String, { nullable: true, description: 'What the person says of itself.' })
  description?: string | null;

  @Bounded(OWN_NAME_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description: 'The name on Twitter: letters, digits and `_`, not empty; unique irrespective of case.',
  })
  twitterAccount?: string | null;

  @Bounded(KEY_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description: 'For services: a repetition with the same key and content answers as the first call did.',
  })
  idempotencyKey?: string | null;
}

/** What is to change of the caller's user: what is not given stays. */
@InputType()
export class UpdateUserInput {
  @Bounded(written(MAX_NAME_GRAPHEMES))
  @Field(() => String, { nullable: true, description: 'Not empty; null changes nothing.' })
  name?: string | null;

  @Bounded(written(MAX_DESCRIPTION_GRAPHEMES))
  @Field(() => String, { nullable: true, description: 'Null takes it away.' })
  description?: string | null;

  @Bounded(OWN_NAME_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description: 'Letters, digits and `_`, not empty; unique irrespective of case; null takes it away.',
  })
  twitterAccount?: string | null;
}
