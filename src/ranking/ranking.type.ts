import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../kit/relay/date-time';
import { ConnectionOf } from '../kit/relay/types';
import { User } from '../user/user.type';
import type { Scored } from './best';

/** What people are ranked by. */
export enum RankingKind {
  TOP_ACCOUNTS = 'TOP_ACCOUNTS',
  TOP_FOLLOWERS = 'TOP_FOLLOWERS',
}
registerEnumType(RankingKind, {
  name: 'RankingKind',
  description: 'What people are ranked by.',
  valuesConfig: {
    TOP_ACCOUNTS: { description: 'By how many follow them.' },
    TOP_FOLLOWERS: { description: 'By how many of the top accounts they follow.' },
  },
});

/** A ranking as it was at a moment. */
@ObjectType({ simpleResolvers: true })
export class Ranking {
  @Field(() => DateTime, { description: 'When it was taken. Comes with the ranking.' })
  takenAt: Date;

  /** Who is in it, best first. */
  places: readonly Scored[];
}

/** A place in a ranking. */
@ObjectType({ simpleResolvers: true })
export class RankingEntry {
  @Field(() => Int, { description: '1, 2, 3, … without gaps. Comes with the entry.' })
  rank: number;

  @Field(() => Int, { description: 'What the rank was given for, as it was then. Comes with the entry.' })
  score: number;

  @Field(() => User, { description: 'Who has the rank, as the user is now. Comes with the entry.' })
  user: User;
}

/** One of many rankings. */
@ObjectType({ simpleResolvers: true })
export class RankingEdge {
  @Field(() => String, { description: 'A place in this list, for `after`. Costs nothing.' })
  cursor: string;

  @Field(() => Ranking, { description: 'Comes with the page.' })
  node: Ranking;
}

/** A page of rankings. */
@ObjectType({ simpleResolvers: true })
export class RankingConnection extends ConnectionOf(() => RankingEdge) {
  @Field(() => [Ranking], { description: 'The rankings of the page. Comes with the page.' })
  nodes: Ranking[];
}
