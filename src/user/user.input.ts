import { Field, InputType } from 'type-graphql';

/** A new user. */
@InputType()
export class CreateUserInput {
  @Field(() => String, {
    description: '1 to 30 letters, digits and `_`; unique irrespective of case, and for ever.',
  })
  username: string;

  @Field(() => String, { description: 'What the person wants to be called: 1 to 100 graphemes.' })
  name: string;

  @Field(() => String, { nullable: true, description: 'At most 500 graphemes.' })
  description?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name on Twitter: 1 to 30 letters, digits and `_`; unique irrespective of case.',
  })
  twitterAccount?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'For services: a repetition with the same key and content answers as the first call did.',
  })
  idempotencyKey?: string | null;
}

/** What is to change of the caller's user: what is not given stays. */
@InputType()
export class UpdateUserInput {
  @Field(() => String, { nullable: true, description: '1 to 100 graphemes; null changes nothing.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'At most 500 graphemes; null takes it away.' })
  description?: string | null;

  @Field(() => String, {
    nullable: true,
    description: '1 to 30 letters, digits and `_`; unique irrespective of case; null takes it away.',
  })
  twitterAccount?: string | null;
}
