import { joinPair, isLow } from '../features/follow/relation';
import { relations } from '../features/follow/follow.table';
import { HIDDEN, hiddenByUser } from '../features/hidden/hidden.table';
import type { FollowRecord, ImportRecord } from '../import/records/record';
import type { Database } from '../kit/cassandra/database';
import { writeOf } from '../kit/cassandra/write';
import { storeBlock } from '../write/hidden/hidden-rows';

/** When the demo's first person blocked and muted somebody. */
const HIDDEN_AT = new Date('2026-10-01T09:00:00Z');

/** Stores whom the demo's first person blocks and mutes: a stranger, and the shares of somebody whom she follows. Storing it again changes nothing. */
export async function storeHidden(
  database: Database,
  network: readonly ImportRecord[],
  userId: string,
): Promise<void> {
  const stranger = findStranger(network, userId);
  const followed = pairsIn(network).find(([follower]) => follower === userId)?.[1];
  if (stranger !== undefined) {
    const side = isLow(userId, stranger)
      ? { lowBlocks: true, lowBlocksAt: HIDDEN_AT }
      : { highBlocks: true, highBlocksAt: HIDDEN_AT };
    const row = writeOf(
      relations,
      { pair: joinPair(userId, stranger), ...side },
      { at: Number(HIDDEN_AT) * 1000 },
    );
    await database.write(row.query, row.params);
    await storeBlock(database, { blocker: userId, blocked: stranger, blocks: true, at: HIDDEN_AT });
  }
  if (followed === undefined) return;
  const mute = { viewerId: userId, kind: HIDDEN.mute, targetId: followed, scope: ['SHARES'] };
  const { query, params } = writeOf(
    hiddenByUser,
    { ...mute, hiddenAt: HIDDEN_AT, changedAt: HIDDEN_AT },
    { at: Number(HIDDEN_AT) * 1000 },
  );
  await database.write(query, params);
}

/** The first of the people who neither follow a user nor are followed by that user: the one whom the demo's first person blocks. */
export function findStranger(network: readonly ImportRecord[], userId: string): string | undefined {
  const near = new Set(
    pairsIn(network)
      .filter((pair) => pair.includes(userId))
      .flat(),
  );
  const people = network.flatMap((record) => (record.kind === 'user' ? (record.userId ?? []) : []));
  return people.find((id) => id !== userId && !near.has(id));
}

/** Returns the follows as pairs of ids. */
function pairsIn(network: readonly ImportRecord[]) {
  const follows = network.filter((record): record is FollowRecord => record.kind === 'follow');
  return follows.map(({ follower, followee }) => [follower.userId, followee.userId] as const);
}
