import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../kit/relay/date-time';
import { ConnectionOf } from '../kit/relay/types';

/** One follow in a list of followers or followees. */
@ObjectType({ simpleResolvers: true })
export class FollowEdge {
  @Field(() => String, { description: 'A position in this list, for `after` and `before`.' })
  cursor: string;

  @Field(() => DateTime, { description: 'When the follow began.' })
  followedAt: Date;

  /** The user at the end of the edge: the follower or the followee. */
  userId: string;
}

/** A page of followers or followees. */
@ObjectType({ simpleResolvers: true })
export class FollowConnection extends ConnectionOf(() => FollowEdge) {}
