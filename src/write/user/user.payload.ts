import { Field, ObjectType } from 'type-graphql';
import { User } from '../../features/user/user.type';

@ObjectType({ simpleResolvers: true })
abstract class ChangedUser {
  @Field(() => User, { description: 'The user after the mutation.' })
  user: User;
}

/** The result of creating a user. */
@ObjectType({ simpleResolvers: true, description: 'The result of `createUser`.' })
export class CreateUserPayload extends ChangedUser {}

/** The result of changing a user. */
@ObjectType({ simpleResolvers: true, description: 'The result of `updateUser`.' })
export class UpdateUserPayload extends ChangedUser {}
