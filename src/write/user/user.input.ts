import { Field, InputType } from 'type-graphql';
import { Bounded } from '../../kit/input/input-bounds';
import { KEY_BOUNDS } from '../../kit/writes/idempotency';
import { written } from '../../kit/input/input-text';
import { MAX_DESCRIPTION_BYTES, MAX_NAME_BYTES } from '../../features/user/user.table';

/** The bounds of a display name. */
export const NAME = written(100, MAX_NAME_BYTES);
/** The bounds of a description. */
export const DESCRIPTION = written(500, MAX_DESCRIPTION_BYTES);

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

  @Bounded(NAME)
  @Field(() => String, { description: 'The display name, not blank.' })
  name: string;

  @Bounded(DESCRIPTION)
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
  @Bounded(NAME)
  @Field(() => String, { nullable: true, description: 'The display name, not blank; null changes nothing.' })
  name?: string | null;

  @Bounded(DESCRIPTION)
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
