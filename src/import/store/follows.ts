import { relations } from '../../features/follow/follow.table';
import { followIn, followLists } from '../../features/follow/follow.lists';
import {
  importedRelation,
  joinPair,
  relationBetween,
  writeTimeOfVersion,
} from '../../features/follow/relation';
import type { Database } from '../../kit/cassandra/database';
import { removalsFrom, writesFrom } from '../../kit/lists/source';
import { readMany } from '../../kit/reads/load';
import { writeOf } from '../../kit/cassandra/write';
import type { RowWriter } from '../../kit/writes/row-writer';

/** How much older, in milliseconds, the rows of relations are than the moment at which they are read: clocks differ by less. */
const SURELY_READ_MS = 60_000;

/** A follow from a source. */
export interface ImportedFollow {
  readonly follower: string;
  readonly followee: string;
  readonly followedAt: Date;
}

/**
 * Writes relations, with their rows in both users' lists, unless they were decided here: by a follow, its end or a block. If a relation has
 * two times, the later one stays, in whatever order they come.
 */
export type StoreFollows = (follows: readonly ImportedFollow[]) => Promise<void>;

/** Creates the function that stores the relations of an import. */
export function createFollows(database: Database, writer: RowWriter): StoreFollows {
  return async (follows) => {
    if (follows.length === 0) return;
    // Rows that were stored before must be found.
    await writer.flush();
    // Decisions from now on, and those that are so late that they might not be read, win over the row.
    const latest = Date.now() - SURELY_READ_MS;
    const last = lastOfEach(follows);
    const rows = await readMany(
      database,
      relations.get,
      last.map(({ follower, followee }) => ({ pair: joinPair(follower, followee) })),
    );
    for (const [index, { follower, followee, followedAt }] of last.entries()) {
      const before = relationBetween(rows[index] ?? null, follower, followee);
      if (before.version > 0 || (before.since !== null && before.since > followedAt)) continue;
      if (before.since !== null && before.since < followedAt) {
        const former = followIn(follower, followee, before);
        for (const write of former ? removalsFrom(followLists, former) : []) await writer.put(write);
      }
      const relation = { since: followedAt, at: followedAt, version: 0 };
      const at = Math.min(writeTimeOfVersion(relation), latest * 1000);
      await writer.put(writeOf(relations, importedRelation(follower, followee, followedAt), { at }));
      const follow = followIn(follower, followee, relation);
      for (const write of follow ? writesFrom(followLists, follow) : []) await writer.put(write);
    }
  };
}

/** Returns the latest time of each relation. */
function lastOfEach(follows: readonly ImportedFollow[]): ImportedFollow[] {
  const last = new Map<string, ImportedFollow>();
  for (const follow of follows) {
    const key = `${follow.follower} ${follow.followee}`;
    const other = last.get(key);
    if (other === undefined || other.followedAt < follow.followedAt) last.set(key, follow);
  }
  return [...last.values()];
}
