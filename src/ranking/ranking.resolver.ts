import type { ComplexityEstimator } from 'graphql-query-complexity';
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { badInput } from '../kit/errors';
import type { Load } from '../kit/load';
import { Reads } from '../kit/model/reads';
import { periodOf } from '../kit/period';
import { buckets } from '../kit/relay/buckets';
import { connect } from '../kit/relay/connection';
import { DateTime } from '../kit/relay/date-time';
import { ForwardArgs, pageOf } from '../kit/relay/page';
import { users } from '../user/user.table';
import { MOST_RANKED } from './best';
import { rankings } from './ranking.table';
import { Ranking, RankingConnection, RankingEntry, RankingKind } from './ranking.type';
import { snapshotAt, snapshotList, type Snapshot } from './snapshots';

/** Which ranking, and how much of it. */
@ArgsType()
class RankingArgs {
  @Field(() => Int, { nullable: true, defaultValue: MOST_RANKED, description: 'The best of it: 1 to 100.' })
  first: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'The newest ranking not after this moment; the newest of all when not given.',
  })
  at?: Date | null;
}

const COST =
  'Costs one partition of `rankings`, or two and one of `buckets` where there is none yet in the month of `at`.';
const PER_ENTRY: ComplexityEstimator = ({ args, childComplexity }) => {
  const first: unknown = args['first'] ?? MOST_RANKED;
  return 1 + Math.min(Math.max(Number(first), 0), MOST_RANKED) * childComplexity;
};
const PER_RANKING: ComplexityEstimator = ({ args, childComplexity }) => {
  const first: unknown = args['first'] ?? 25;
  return Math.min(Math.max(Number(first), 0), 100) * (1 + MOST_RANKED * childComplexity);
};

/** The people with the most followers, and those who follow most of them, through time. */
@Resolver(() => Ranking)
export class RankingResolver {
  @Reads(rankings, buckets)
  @Query(() => Ranking, {
    nullable: true,
    complexity: PER_ENTRY,
    description: `The accounts with the most followers, at a time; the score is how many follow them, ties are by username. Null before the first ranking was taken; by default one is each hour. ${COST}`,
  })
  topAccounts(@Args(() => RankingArgs) args: RankingArgs, @Ctx() { load }: Context) {
    return rankingAt(load, RankingKind.TOP_ACCOUNTS, args);
  }

  @Reads(rankings, buckets)
  @Query(() => Ranking, {
    nullable: true,
    complexity: PER_ENTRY,
    description: `The people who follow most of the hundred top accounts, at a time; the score is how many of them, ties are by username. Null before the first ranking was taken; by default one is each hour. ${COST}`,
  })
  topFollowers(@Args(() => RankingArgs) args: RankingArgs, @Ctx() { load }: Context) {
    return rankingAt(load, RankingKind.TOP_FOLLOWERS, args);
  }

  @Reads(rankings, buckets)
  @Query(() => RankingConnection, {
    complexity: PER_RANKING,
    description:
      'The rankings of a period, newest first. Costs one partition of `buckets` and, per month walked, one of `rankings`; at most 64 a page.',
  })
  rankings(
    @Arg('kind', () => RankingKind, { description: 'Which of the two.' }) kind: RankingKind,
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period has ended.' }) to: Date,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() { load }: Context,
  ) {
    const list = snapshotList(load, kind, periodOf(from, to));
    return connect(
      list,
      pageOf(list.name, args),
      (snapshot, cursor) => ({ cursor, node: rankingOf(snapshot, kind) }),
      (snapshot) => rankingOf(snapshot, kind),
    );
  }

  @Reads(users)
  @FieldResolver(() => [RankingEntry], {
    complexity: ({ childComplexity }) => 1 + childComplexity,
    description:
      'Who is in it, best first; fewer where fewer have a score. Costs one partition of `users` each; a page of them is one request.',
  })
  async entries(@Root() { places }: Ranking, @Ctx() { load }: Context) {
    const found = await Promise.all(places.map(({ userId }) => load(users.get, { userId })));
    // Whom an import has given another id since is left out.
    const entries = places.flatMap(({ score }, place) =>
      found[place] ? [{ score, user: found[place] }] : [],
    );
    return entries.map((entry, place) => ({ rank: place + 1, ...entry }));
  }
}

async function rankingAt(load: Load, kind: RankingKind, { first, at }: RankingArgs) {
  const most = first ?? MOST_RANKED;
  if (most < 1 || most > MOST_RANKED) throw badInput(`first must be 1 to ${MOST_RANKED}, but got: ${most}`);
  const snapshot = await snapshotAt(load, at ?? new Date());
  return snapshot && rankingOf(snapshot, kind, most);
}

function rankingOf(snapshot: Snapshot, kind: RankingKind, most = MOST_RANKED) {
  const { takenAt, accounts, accountScores, followers, followerScores } = snapshot;
  const [userIds, scores] =
    kind === RankingKind.TOP_ACCOUNTS ? [accounts, accountScores] : [followers, followerScores];
  const places = (userIds ?? []).map((userId, place) => ({ userId, score: scores?.[place] ?? 0 }));
  return { takenAt, places: places.slice(0, most) };
}
