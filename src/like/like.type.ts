import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../kit/relay/date-time';
import { ConnectionOf } from '../kit/relay/types';

/** One like, seen from the tweet. */
@ObjectType({ simpleResolvers: true })
export class LikeEdge {
  @Field(() => String, { description: 'A place in this list, for `after` and `before`. Costs nothing.' })
  cursor: string;

  @Field(() => DateTime, { description: 'When it was liked. Comes with the page.' })
  likedAt: Date;

  /** Who liked it. */
  userId: string;
}

/** A page of likers. */
@ObjectType({ simpleResolvers: true })
export class LikeConnection extends ConnectionOf(() => LikeEdge) {}
