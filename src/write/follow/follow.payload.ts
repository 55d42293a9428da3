import { Field, ObjectType } from 'type-graphql';
import { User } from '../../features/user/user.type';

@ObjectType({ simpleResolvers: true })
abstract class ChangedFollow {
  @Field(() => User, { description: "The caller's user after the mutation." })
  follower: User;

  @Field(() => User, { description: 'The other user after the mutation.' })
  followee: User;
}

/** The result of following. */
@ObjectType({ simpleResolvers: true, description: 'The result of `followUser`.' })
export class FollowUserPayload extends ChangedFollow {}

/** The result of unfollowing. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unfollowUser`.' })
export class UnfollowUserPayload extends ChangedFollow {}
