import type { Block } from '../../features/follow/block';
import { HIDDEN, hiddenByUser, MAX_BLOCKERS, NO_TARGET } from '../../features/hidden/hidden.table';
import type { Database, Write } from '../../kit/cassandra/database';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { readMany } from '../../kit/reads/load';

const counting = 'SELECT COUNT(*) AS n FROM hidden_by_user WHERE viewer_id = ? AND kind = ?';
const forgetting = 'DELETE FROM hidden_by_user WHERE viewer_id = ? AND kind = ?';

/** The row of a block among what its blocker hides, or its removal. A late write undoes nothing newer. */
export function ownRow({ blocker, blocked, blocks, at }: Block): Write {
  const row = { viewerId: blocker, kind: HIDDEN.block, targetId: blocked, hiddenAt: at };
  return blocks ? writeOf(hiddenByUser, row, timeOf(at)) : removalOf(hiddenByUser, row, timeOf(at).at);
}

/**
 * Returns the row of a block in the partition of the blocked user. When the block ends, the row stays and says so: removed rows would be
 * tombstones, and others could bring as many of them into a partition as they have accounts.
 */
export function blockersRow({ blocker, blocked, blocks, at }: Block): Write {
  const row = { viewerId: blocked, kind: HIDDEN.blocker, targetId: blocker, hiddenAt: at, ended: !blocks };
  return writeOf(hiddenByUser, row, timeOf(at));
}

function timeOf(at: Date) {
  return { at: Number(at) * 1000 };
}

/** Whether so many users block a user that its rows do not name them. */
export async function hasManyBlockers(database: Database, userId: string): Promise<boolean> {
  const key = { viewerId: userId, kind: HIDDEN.manyBlockers, targetId: NO_TARGET };
  const [marker] = await readMany(database, hiddenByUser.get, [key]);
  return marker != null;
}

/** Stores the rows of a block. */
export async function storeBlock(database: Database, block: Block): Promise<void> {
  const own = ownRow(block);
  await Promise.all([database.write(own.query, own.params), nameBlocker(database, block)]);
}

/**
 * Stores a blocker among the rows that hide something from a user. If more than `MAX_BLOCKERS` users block the user, or have done so, the
 * user is marked instead, and its rows name none: then the rows of `relations` tell. So nobody can make the partition of somebody else
 * large.
 */
async function nameBlocker(database: Database, block: Block): Promise<void> {
  const { blocked } = block;
  if (await hasManyBlockers(database, blocked)) return;
  const { query, params } = blockersRow(block);
  await database.write(query, params);
  const [row] = await database.read(counting, [blocked, HIDDEN.blocker]);
  if (Number(Reflect.get(row ?? {}, 'n')) <= MAX_BLOCKERS) return;
  const marker = { viewerId: blocked, kind: HIDDEN.manyBlockers, targetId: NO_TARGET, hiddenAt: new Date() };
  const marking = writeOf(hiddenByUser, marker);
  await database.write(marking.query, marking.params);
  await database.write(forgetting, [blocked, HIDDEN.blocker]);
}
