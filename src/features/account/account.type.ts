import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../../kit/input/date-time';

/** The deletion of an account. */
@ObjectType({
  simpleResolvers: true,
  description: 'The deletion of an account: from the request on the account and all it has made are hidden.',
})
export class AccountDeletion {
  @Field(() => DateTime, { description: 'When it was asked for.' })
  requestedAt: Date;

  @Field(() => DateTime, {
    description:
      'When it begins to remove what the account has made. Until then `cancelAccountDeletion` takes it back.',
  })
  startsAt: Date;
}
