import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../kit/input/date-time';
import { ConnectionOf } from '../../kit/lists/connection-types';
import { User } from '../user/user.type';
import type { Scored } from './best';

/** The kinds of rankings. */
export enum RankingKind {
  TOP_ACCOUNTS = 'TOP_ACCOUNTS',
  TOP_FOLLOWERS = 'TOP_FOLLOWERS',
}
registerEnumType(RankingKind, {
  name: 'RankingKind',
  description: 'What users are ranked by.',
  valuesConfig: {
    TOP_ACCOUNTS: { description: 'By the number of their followers.' },
    TOP_FOLLOWERS: { description: 'By the number of top accounts that they follow.' },
  },
});

/** A ranking at a moment. */
@ObjectType({ simpleResolvers: true })
export class Ranking {
  @Field(() => DateTime, { description: 'When it was taken.' })
  takenAt: Date;

  /** The users in it, best first. */
  places: readonly Scored[];

  /** How many of these are shown at most. */
  limit: number;
}

/** A user in a ranking. */
@ObjectType({ simpleResolvers: true })
export class RankingEntry {
  @Field(() => Int, { description: '1, 2, 3, … without gaps.' })
  rank: number;

  @Field(() => Int, { description: 'The score at the time of the ranking.' })
  score: number;

  @Field(() => User, { description: 'The user as it is now.' })
  user: User;
}

/** A ranking in a list of rankings, with its cursor. */
@ObjectType({ simpleResolvers: true })
class RankingEdge {
  @Field(() => String, { description: 'A position in this list, for `after`.' })
  cursor: string;

  @Field(() => Ranking, { description: 'The ranking.' })
  node: Ranking;
}

/** A page of rankings. */
@ObjectType({ simpleResolvers: true })
export class RankingConnection extends ConnectionOf(() => RankingEdge) {
  @Field(() => [Ranking], { description: 'The rankings of the page.' })
  nodes: Ranking[];
}
