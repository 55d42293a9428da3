import { Field, ObjectType } from 'type-graphql';
import type { Row } from '../kit/cassandra/table';
import { DateTime } from '../kit/relay/date-time';
import { Node } from '../kit/relay/node';
import type { users } from './user.table';

/** A person; its properties are the columns of `users`. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A person.',
})
export class User extends Node implements Row<typeof users> {
  @Field(() => String, { description: '64-bit, in decimal. Comes with the user.' })
  userId: string;

  @Field(() => String, { description: 'Unique irrespective of case, shown as given. Comes with the user.' })
  username: string;

  @Field(() => String, { description: 'What the person wants to be called. Comes with the user.' })
  name: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the person says of itself. Comes with the user.',
  })
  description: string | null;

  @Field(() => String, { nullable: true, description: 'The name on Twitter. Comes with the user.' })
  twitterAccount: string | null;

  @Field(() => DateTime, { description: 'When the account was made. Comes with the user.' })
  createdAt: Date;
}

/** What making or changing a user answers. */
@ObjectType({ simpleResolvers: true })
export class UserPayload {
  @Field(() => User, { description: 'The user as it is now.' })
  user: User;
}
