import { Field, ObjectType } from 'type-graphql';
import type { Row } from '../../kit/cassandra/table';
import { DateTime } from '../../kit/input/date-time';
import { Node } from '../../kit/graphql/global-id';
import type { users } from './user.table';

/** A person. Its properties are the columns of `users`. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A person.',
})
export class User extends Node implements Row<typeof users> {
  @Field(() => String, { description: 'A 64-bit number in decimal.' })
  userId: string;

  @Field(() => String, { description: 'Unique, ignoring case, and shown as given.' })
  username: string;

  @Field(() => String, { description: 'The display name.' })
  name: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the person says about themselves.',
  })
  description: string | null;

  @Field(() => String, { nullable: true, description: 'The name on Twitter.' })
  twitterAccount: string | null;

  @Field(() => DateTime, { description: 'When the account was created.' })
  createdAt: Date;
}
