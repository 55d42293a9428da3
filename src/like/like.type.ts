import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../kit/relay/date-time';
import { ConnectionOf } from '../kit/relay/types';

/** One like in a tweet's list of likes. */
@ObjectType({ simpleResolvers: true })
export class LikeEdge {
  @Field(() => String, { description: 'A position in this list, for `after` and `before`.' })
  cursor: string;

  @Field(() => DateTime, { description: 'When the user liked the tweet.' })
  likedAt: Date;

  /** The user who likes the tweet. */
  userId: string;
}

/** A page of likes. */
@ObjectType({ simpleResolvers: true })
export class LikeConnection extends ConnectionOf(() => LikeEdge) {}
