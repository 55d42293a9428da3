import { int, optional, timestamp } from '../../kit/cassandra/column';
import { readMany } from '../../kit/reads/load';
import { connection, edge } from '../../kit/lists/connection-field';
import { list } from '../../kit/lists/list';
import { ref } from '../../kit/lists/node';
import { source } from '../../kit/lists/source';
import { user } from '../user/user.node';
import { relations } from './follow.table';
import { joinPair, relationBetween, writeTimeOfVersion, type Relation } from './relation';

/** Somebody follows somebody. */
interface Follow {
  readonly followerId: string;
  readonly followeeId: string;
  readonly followedAt: Date;
  /** The version of the relation; null if it was only imported. */
  readonly version: number | null;
  /** When the relation last changed. */
  readonly at: Date;
}

/** Returns the follow of a relation, for lists: as it is, or as it was when it ended. Null if there never was one. */
export function followIn(
  followerId: string,
  followeeId: string,
  { since, at, version }: Pick<Relation, 'since' | 'at' | 'version'>,
): Follow | null {
  if (since === null || at === null) return null;
  return { followerId, followeeId, followedAt: since, version: version || null, at };
}

const follow = source<Follow>({
  table: relations,
  keyOf: ({ pair }) => String(pair),
  keyIn: ({ followerId, followeeId }) => joinPair(String(followerId), String(followeeId)),
  async read(database, pairs) {
    const keys = pairs.map((pair) => ({ pair }));
    return (await readMany(database, relations.get, keys)).flatMap((row) => {
      const [low = '', high = ''] = row?.pair.split(' ') ?? [];
      return [[low, high] as const, [high, low] as const].flatMap(([follower, followee]) => {
        const relation = relationBetween(row, follower, followee);
        return relation.follows ? (followIn(follower, followee, relation) ?? []) : [];
      });
    });
  },
  // A late write overwrites nothing newer.
  timeOf: ({ at, version }) => writeTimeOfVersion({ at, version: version ?? 0 }),
});

/** The followers of a user, newest follow first. `version` is that of the relation. */
export const followersByUser = list('followers_by_user', {
  writeLoad: { rows: { follow: 1 }, bytes: 40, spread: { over: 'subjects' } },
  owner: { userId: ref(user) },
  order: { followedAt: timestamp, followerId: ref(user) },
  also: { version: optional(int) },
  from: follow.as({ userId: 'followeeId' }),
});

/** The followees of a user, newest follow first. */
export const followingByUser = list('following_by_user', {
  writeLoad: { rows: { follow: 1 }, bytes: 40, spread: { over: 'people' } },
  owner: { userId: ref(user) },
  order: { followedAt: timestamp, followeeId: ref(user) },
  from: follow.as({ userId: 'followerId' }),
});

/** The lists that have a row of each follow. */
export const followLists = [followersByUser, followingByUser] as const;

const followEdge = edge('Follow', { followedAt: 'When the follow began.' }, 'The follower or followee.');

/** The fields that show follows. */
export const followConnections = [
  connection(followersByUser, 'followers', {
    description: 'The followers of the user, newest follow first, then by id descending.',
    edge: followEdge,
  }),
  connection(followingByUser, 'following', {
    description: 'The users that the user follows, newest follow first, then by id descending.',
    edge: followEdge,
  }),
];
