import { bookmarks } from '../../features/bookmark/bookmark.table';
import { HIDDEN, hiddenByUser } from '../../features/hidden/hidden.table';
import { likesByUser } from '../../features/like/like.lists';
import { articlesByUser, commentsByAuthor } from '../../features/news/news.lists';
import type { Database } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { removalOf } from '../../kit/cassandra/write';
import { readMany } from '../../kit/reads/load';
import { putAll, type RowWriter } from '../../kit/writes/row-writer';
import { mute } from '../../write/hidden/set-muted';

/**
 * Makes acts of users, by mutations, those of others, by pairs of their ids: the old one and the new one. A like and a block are decided as
 * those of a server are, so this needs the services of a server.
 */
export type MoveActs = (merges: readonly (readonly [from: string, to: string])[]) => Promise<void>;

/** The `MoveActs` of a store whose users have done nothing here. */
export const nobodyActs: MoveActs = (merges) => {
  const ids = merges.map(([from]) => from).join(', ');
  return Promise.reject(new Error(`These users have acted here, and this store cannot move that: ${ids}.`));
};

/** Finds those of some users who have done something here, besides posting and following, or are blocked. */
export async function findActing(
  database: Database,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const first = { bucket: 0, limit: 1 };
  const keys = <K extends string>(owner: K) =>
    userIds.map((userId) => ({ ...first, [owner]: userId }) as typeof first & Record<K, string>);
  const found = await Promise.all([
    readMany(database, hiddenByUser.page, keys('viewerId')),
    readMany(database, bookmarks.page, keys('userId')),
    readMany(database, likesByUser.page, keys('userId')),
    readMany(database, articlesByUser.page, keys('authorId')),
    readMany(database, commentsByAuthor.page, keys('authorId')),
  ]);
  return new Set(userIds.filter((_, index) => found.some((rows) => (rows[index] ?? []).length > 0)));
}

/** How many mutes are moved at a time. */
const MUTES_AT_ONCE = 100;

type HiddenKey = Pick<Row<typeof hiddenByUser>, 'viewerId' | 'kind' | 'targetId'>;

/** Makes the mutes of merged users those of the users into whom they are merged. Only a look at all rows finds the muting users. */
export async function moveMutes(
  database: Database,
  writer: RowWriter,
  mergedIds: ReadonlyMap<string, string>,
): Promise<void> {
  let pending: HiddenKey[] = [];
  const move = async () => {
    const rows = await readMany(database, hiddenByUser.get, pending);
    for (const row of rows.flatMap((one) => one ?? [])) {
      const { viewerId, targetId: from, hiddenAt: at, until, scope, ended } = row;
      const to = mergedIds.get(from);
      const isOver = ended === true || (until !== null && until <= new Date());
      if (to !== undefined && !isOver && viewerId !== to)
        await mute(database, viewerId, to, { at, until, scope }, { isMoved: true });
    }
    await putAll(
      writer,
      pending.map((key) => removalOf(hiddenByUser, key)),
    );
    pending = [];
  };
  for await (const row of database.stream(hiddenByUser.keys.all, [])) {
    const key = row as unknown as HiddenKey;
    if (key.kind === HIDDEN.mute && mergedIds.has(key.targetId)) pending.push(key);
    if (pending.length >= MUTES_AT_ONCE) await move();
  }
  if (pending.length > 0) await move();
}
