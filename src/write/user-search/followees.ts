import { followersByUser } from '../../features/follow/follow.lists';
import { relations } from '../../features/follow/follow.table';
import { joinPair, relationBetween, writeTimeOfVersion, type Relation } from '../../features/follow/relation';
import { startsOf } from '../../features/user-search/starts';
import { followeesByName } from '../../features/user-search/user-search.table';
import { users } from '../../features/user/user.table';
import { writtenAt } from '../../kit/cassandra/column';
import type { Database, Write } from '../../kit/cassandra/database';
import { getStatement } from '../../kit/cassandra/statement';
import type { RowOf } from '../../kit/cassandra/table';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { listPages } from '../../kit/lists/list-pages';
import { readMany } from '../../kit/reads/load';
import { growingTask, type DeclaredHandler, type Payload } from '../../kit/work/handler';
import { putAll } from '../../kit/writes/row-writer';
import type { WriteServices } from '../write-services';
import { indexUser } from './index-users';

const { userId, username, name } = users.columns;
const datedColumns = { userId, username, name, nameAt: writtenAt('name') };

/** Reads the names of a user, and when its row last changed. */
const readNames = getStatement<{ userId: string }, RowOf<typeof datedColumns>>({
  ...users,
  columns: datedColumns,
});

/** How many changes of a follow are ordered that are earlier than the name, by a microsecond each. */
const MAX_VERSIONS_OF_NAME = 999;

/** A follow, as far as the names of followees depend on it. */
interface NamedFollow {
  readonly follower: string;
  readonly followee: string;
  readonly relation: Pick<Relation, 'follows' | 'at' | 'version'>;
}

/**
 * The writes by which users have the names of those whom they follow. They are dated by the later of two: the follow, and the last
 * change of the name. A user who is known by a number only has no name to be found by.
 */
export async function followeeWrites(database: Database, follows: readonly NamedFollow[]): Promise<Write[]> {
  const ids = [...new Set(follows.map(({ followee }) => followee))];
  const found = await readMany(
    database,
    readNames,
    ids.map((one) => ({ userId: one })),
  );
  const names = new Map(found.flatMap((user) => (user ? [[user.userId, user]] : [])));
  return follows.flatMap(({ follower, followee, relation }) => {
    const user = names.get(followee);
    const key = { userId: follower, followeeId: followee };
    // A name that a node dates ahead is later than the follow. Then the version orders the follow and its end.
    const namedAt = Number(user?.nameAt ?? 0) + Math.min(relation.version, MAX_VERSIONS_OF_NAME);
    const at = Math.max(writeTimeOfVersion(relation), namedAt);
    if (!relation.follows) return [removalOf(followeesByName, key, at)];
    if (user === undefined || user.username === user.userId) return [];
    const row = { ...key, username: user.username, name: user.name, starts: startsOf(user).join('\n') };
    return [writeOf(followeesByName, row, { at })];
  });
}

/** Makes the row of one follow equal to the relation. */
export async function storeFollowee({ database }: WriteServices, follow: NamedFollow): Promise<void> {
  for (const { query, params } of await followeeWrites(database, [follow]))
    await database.write(query, params);
}

/** How many followers get a changed name between two checkpoints. */
const FOLLOWERS_PER_CHECKPOINT = 500;

/** Makes a user be found by the name that is stored now: among all users at once, by followers by a task. */
export async function findByNewName({ database, outbox }: WriteServices, userId: string): Promise<void> {
  await indexUser(database, userId);
  await outbox.leaveToTask('rename', { userId });
}

/** Gives a user's name to all followers, so that they find the user by it. */
export function renameHandler(writeServices: WriteServices): DeclaredHandler {
  const { database } = writeServices;
  const person = ({ userId = '' }: Payload) => userId;
  const work = { rows: 4 * FOLLOWERS_PER_CHECKPOINT, person, sameAs: person };
  return growingTask(work, async ({ userId: followee = '' }, task) => {
    const after = task.checkpoint === null ? null : (JSON.parse(task.checkpoint) as [string, string]);
    const from = after && { bucket: 0, key: [new Date(after[0]), after[1]] };
    const list = listPages(
      database,
      (load) => followersByUser.list(load, followee),
      FOLLOWERS_PER_CHECKPOINT,
      from,
    );
    for await (const page of list) {
      await storeNames(
        writeServices,
        page.map(({ followerId: follower, followedAt: at, version }) => ({
          ...{ follower, followee },
          relation: { follows: true, at, version: version ?? 0 },
        })),
      );
      const last = page.at(-1);
      if (last) await task.saveCheckpoint(JSON.stringify([last.followedAt, last.followerId]));
    }
  });
}

/**
 * Writes the name to followers, and then reads the relations: if one has ended meanwhile, its own removal may have come before. Later
 * removals have a later write time.
 */
async function storeNames(writeServices: WriteServices, follows: readonly NamedFollow[]): Promise<void> {
  const { database } = writeServices;
  await putAll(writeServices.bulk(), await followeeWrites(database, follows));
  const keys = follows.map(({ follower, followee }) => ({ pair: joinPair(follower, followee) }));
  const rows = await readMany(database, relations.get, keys);
  const ended = follows.flatMap((follow, index) => {
    const relation = relationBetween(rows[index] ?? null, follow.follower, follow.followee);
    return relation.follows ? [] : [{ ...follow, relation }];
  });
  await putAll(writeServices.bulk(), await followeeWrites(database, ended));
}
