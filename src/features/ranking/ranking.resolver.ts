import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { badArgument } from '../../kit/base/errors';
import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/reads/load';
import { bucketReads, pagesOf, boundsOfPeriod } from '../../kit/lists/page-bounds';
import { HoldsItems, MaxItems, Reads, rowsOf, upTo, CostExample } from '../../kit/cost/reads';
import { periodOf } from '../../kit/base/period';
import { buckets, monthOf } from '../../kit/lists/buckets';
import { connect } from '../../kit/lists/connection';
import { DateTime } from '../../kit/input/date-time';
import { pageOf } from '../../kit/lists/page';
import { ForwardArgs } from '../../kit/input/page-args';
import { shownUser } from '../user/user-by-username';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { user } from '../user/user.node';
import { cachedUser, users } from '../user/user.table';
import { MAX_RANKED, rankings } from './ranking.table';
import { Ranking, RankingConnection, RankingEntry, RankingKind } from './ranking.type';
import { snapshotAt, snapshotList, type Snapshot } from './snapshots';

/** The arguments of a ranking: its time, and how many entries of it. */
@ArgsType()
class RankingArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: MAX_RANKED,
    description: 'How many entries, best first: 1 to 100.',
  })
  first: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Selects the newest ranking not after this moment; when not given, the newest of all.',
  })
  at?: Date | null;
}

/** How many places are looked at together: one after another, a hundred hidden users would be a hundred reads in a row. */
const MIN_PLACES_AT_ONCE = 20;

/** Reads the newest ranking of a month, else that of the last month before with one. */
const NEWEST = [rowsOf(rankings, 2), upTo(buckets, () => ({ reads: 1, rows: 1 }))] as const;
const firstOf = ({ first }: Readonly<Record<string, unknown>>) =>
  Math.min(Math.max(Number(first ?? MAX_RANKED), 0), MAX_RANKED);

/** The accounts with the most followers, and the users who follow most of these, over time. */
@Resolver(() => Ranking)
export class RankingResolver {
  @HoldsItems(firstOf)
  @Reads(...NEWEST)
  @Query(() => Ranking, {
    nullable: true,
    description:
      'The accounts with the most followers at a time, by the number of followers, then by username. Null before the first ranking was taken.',
  })
  topAccounts(@Args(() => RankingArgs) args: RankingArgs, @Ctx() { load }: Context) {
    return rankingAt(load, RankingKind.TOP_ACCOUNTS, args);
  }

  @HoldsItems(firstOf)
  @Reads(...NEWEST)
  @Query(() => Ranking, {
    nullable: true,
    description:
      'The users who follow most of the hundred top accounts at a time, by how many they follow, then by username. Null before the first ranking was taken.',
  })
  topFollowers(@Args(() => RankingArgs) args: RankingArgs, @Ctx() { load }: Context) {
    return rankingAt(load, RankingKind.TOP_FOLLOWERS, args);
  }

  @CostExample('a month', { from: new Date('2026-10-01'), to: new Date('2026-11-01') })
  @Reads(pagesOf(rankings, boundsOfPeriod(monthOf)), bucketReads())
  @Query(() => RankingConnection, {
    description: 'The rankings of a period, newest first.',
  })
  rankings(
    @Arg('kind', () => RankingKind, { description: 'Which of the two rankings.' }) kind: RankingKind,
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period ends; this moment is not part of it.' })
    to: Date,
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

  @MaxItems((_args, holds) => holds ?? MAX_RANKED)
  @Reads(upTo(users, ({ limit }) => ({ reads: limit, rows: limit })), ...SIGHT_READS)
  @FieldResolver(() => [RankingEntry], {
    description:
      'The users in the ranking whom the caller may see, best first; fewer if fewer users have a score.',
  })
  async entries(@Root() { places, limit }: Ranking, @Ctx() context: Context) {
    const { load, reserve } = context;
    const hiding = user.hiding?.open(context, 'LIST');
    const visible = places.filter(({ userId }) => load.isHidden?.(userId) !== true);
    const entries: { readonly score: number; readonly user: Row<typeof users> }[] = [];
    let declared = limit;
    // Whoever is hidden, has left, or was merged into another user by an import since makes room for the next ones.
    for (let next = 0; entries.length < limit && next < visible.length;) {
      const some = visible.slice(next, (next += Math.max(limit - entries.length, MIN_PLACES_AT_ONCE)));
      await hiding?.learn(some);
      const shown = some.filter((place) => hiding?.hides(place) !== true);
      while (entries.length < limit && shown.length > 0) {
        const read = shown.splice(0, limit - entries.length);
        const more = Math.max(0, read.length - declared);
        if (more > 0)
          await reserve({ field: 'Ranking.entries', table: users.name }, { reads: more, rows: more });
        declared -= read.length - more;
        const found = await Promise.all(read.map(({ userId }) => load(cachedUser, { userId })));
        for (const [index, { score }] of read.entries()) {
          const row = shownUser(load, found[index] ?? null);
          if (row) entries.push({ score, user: row });
        }
      }
    }
    return entries.map((entry, index) => ({ rank: index + 1, ...entry }));
  }
}

async function rankingAt(load: Load, kind: RankingKind, { first, at }: RankingArgs) {
  const limit = first ?? MAX_RANKED;
  if (limit < 1 || limit > MAX_RANKED)
    throw badArgument('first', `must be 1 to ${MAX_RANKED}, but got: ${limit}`);
  const snapshot = await snapshotAt(load, at ?? null);
  return snapshot && rankingOf(snapshot, kind, limit);
}

function rankingOf(snapshot: Snapshot, kind: RankingKind, limit = MAX_RANKED) {
  const { takenAt, accounts, accountScores, followers, followerScores } = snapshot;
  const [userIds, scores] =
    kind === RankingKind.TOP_ACCOUNTS ? [accounts, accountScores] : [followers, followerScores];
  const places = (userIds ?? []).map((userId, index) => ({ userId, score: scores?.[index] ?? 0 }));
  return { takenAt, places, limit };
}
