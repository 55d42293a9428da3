import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../kit/relay/date-time';
import { User } from '../user/user.type';
import { ConnectionOf } from '../kit/relay/types';

/** One relation, seen from a user's list. */
@ObjectType({ simpleResolvers: true })
export class FollowEdge {
  @Field(() => String, { description: 'A place in this list, for `after` and `before`. Costs nothing.' })
  cursor: string;

  @Field(() => DateTime, { description: 'When the one followed the other. Comes with the page.' })
  followedAt: Date;

  /** Whom the edge leads to. */
  userId: string;
}

/** A page of followers or followees. */
@ObjectType({ simpleResolvers: true })
export class FollowConnection extends ConnectionOf(() => FollowEdge) {}

/** What following or unfollowing answers. */
@ObjectType({ simpleResolvers: true })
export class FollowPayload {
  @Field(() => User, { description: "The caller's user, as it is now." })
  follower: User;

  @Field(() => User, { description: 'The user who is followed, or no more, as it is now.' })
  followee: User;
}
