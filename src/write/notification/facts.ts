import { relations } from '../../features/follow/follow.table';
import { joinPair, relationBetween } from '../../features/follow/relation';
import type { Grouping } from '../../features/notification/group-id';
import { NO_SUBJECT, NotificationKind } from '../../features/notification/notification-kind';
import { rawTweets, rootOf, tweets } from '../../features/tweet/tweet.table';
import type { Database } from '../../kit/cassandra/database';
import type { StoredRow } from '../../kit/cassandra/table';
import { readMany } from '../../kit/reads/load';
import { tallies, tallyShardOf } from '../../kit/work/tally';
import type { Fact } from './notify-group';

/** The lists of tallies that decide about acts on tweets. */
export const LIST_OF_KIND = { [NotificationKind.LIKE]: 'likes', [NotificationKind.SHARE]: 'shares' } as const;

/** The likes and shares that rows of tallies say, if they notify. */
export async function factsOfTallies(database: Database, keys: readonly StoredRow[]): Promise<Fact[]> {
  const named = keys.map(({ owner, shard, member, list }) => ({
    ...{ owner: String(owner), shard: Number(shard), member: String(member), list: String(list) },
  }));
  const [found, memberships] = await Promise.all([
    readMany(
      database,
      tweets.get,
      named.map(({ owner: tweetId }) => ({ tweetId })),
    ),
    readMany(database, tallies.get, named),
  ]);
  const imported = await readMany(
    database,
    rawTweets.get,
    memberships.map((membership) => ({ tweetId: membership?.item ?? '0' })),
  );
  return named.flatMap(({ member: actorId, list }, index) => {
    // An imported share is a member as well, and no news.
    const tweet = imported[index] === null || list === LIST_OF_KIND.LIKE ? found[index] : null;
    const { present, since, at: changedAt } = memberships[index] ?? {};
    if (!tweet || present !== true || !since || !changedAt || tweet.authorId === actorId) return [];
    const { tweetId: subjectId, authorId: userId } = tweet;
    const kind = list === LIST_OF_KIND.LIKE ? NotificationKind.LIKE : NotificationKind.SHARE;
    const notified = { userId, kind, subjectId, rootId: rootOf(tweet) } as const;
    return [{ notified, act: { actorId, present, since, changedAt } }];
  });
}

/** The follows between pairs of users that acts have made. */
export async function factsOfPairs(database: Database, pairs: readonly string[]): Promise<Fact[]> {
  const rows = await readMany(
    database,
    relations.get,
    pairs.map((pair) => ({ pair })),
  );
  return rows.flatMap((row) => {
    const [low = '', high = ''] = row?.pair.split(' ') ?? [];
    return [[low, high] as const, [high, low] as const].flatMap(([follower, followee]) => {
      const { follows, since, at: changedAt, version } = relationBetween(row, follower, followee);
      if (!follows || since === null || changedAt === null || version === 0) return [];
      const kind: NotificationKind.FOLLOW = NotificationKind.FOLLOW;
      const notified = { userId: followee, kind, subjectId: NO_SUBJECT, rootId: null };
      return [{ notified, act: { actorId: follower, present: true, since, changedAt } }];
    });
  });
}

/** The acts that stand of some users and a grouping. */
export function factsOfGroup(
  database: Database,
  { userId, kind, subjectId }: Grouping,
  actorIds: readonly string[],
): Promise<Fact[]> {
  if (kind !== NotificationKind.FOLLOW)
    return factsOfTallies(
      database,
      actorIds.map((member) => ({
        ...{ owner: subjectId, shard: tallyShardOf(member), member, list: LIST_OF_KIND[kind] },
      })),
    );
  return factsOfPairs(
    database,
    actorIds.map((actorId) => joinPair(actorId, userId)),
  ).then((facts) => facts.filter(({ notified }) => notified.userId === userId));
}
