import { Field, InputType } from 'type-graphql';
import { Bounded } from '../../kit/input/input-bounds';
import { KEY_BOUNDS } from '../../kit/writes/idempotency';
import { written } from '../../kit/input/input-text';
import { MAX_DESCRIPTION_BYTES, MAX_NAME_BYTES } from '../../features/user/user.table';

/** The longest display name, in graphemes. */
export const MAX_NAME_GRAPHEMES = 100;
/** The longest description, in graphemes. */
export const MAX_DESCRIPTION_GRAPHEMES = 500;

/** The bounds of the unique names that users choose here. Imported ones may be longer. */
const OWN_NAME_BOUNDS = { maxLength: 30 };

/** A new user. */
@InputType()
export class CreateUserInput {
  @Bounded(OWN_NAME_BOUNDS)
  @Field(() => String, {
    description: 'Letters, digits and `_`, not empty. Unique, ignoring case; it can never be changed.',
  })
  username: string;

  @Bounded(written(MAX_NAME_GRAPHEMES, MAX_NAME_BYTES))
  @Field(() => String, { description: 'The display name, not blank.' })
  name: string;

  @Bounded(written(MAX_DESCRIPTION_GRAPHEMES, MAX_DESCRIPTION_BYTES))
  @Field(() => String, { nullable: true, description: 'What the person says about themselves, not blank.' })
  description?: string | null;

  @Bounded(OWN_NAME_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description: 'The name on Twitter: letters, digits and `_`, not empty. Unique, ignoring case.',
  })
  twitterAccount?: string | null;

  @Bounded(KEY_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description:
      'For services: makes the call safe to repeat. The same key with the same content returns the user that the first call created.',
  })
  idempotencyKey?: string | null;
}

/** Changes of the caller's user; fields that are not given stay as they are. */
@InputType()
export class UpdateUserInput {
  @Bounded(written(MAX_NAME_GRAPHEMES, MAX_NAME_BYTES))
  @Field(() => String, { nullable: true, description: 'The display name, not blank; null changes nothing.' })
  name?: string | null;

  @Bounded(written(MAX_DESCRIPTION_GRAPHEMES, MAX_DESCRIPTION_BYTES))
  @Field(() => String, {
    nullable: true,
    description: 'What the person says about themselves, not blank; null removes it.',
  })
  description?: string | null;

  @Bounded(OWN_NAME_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description:
      'The name on Twitter: letters, digits and `_`, not empty. Unique, ignoring case; null removes it.',
  })
  twitterAccount?: string | null;
}
