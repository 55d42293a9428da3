import { shardOf } from '../../kit/base/shard-of';
import { relations } from '../../follow/follow.table';
import { importedRelation, timeOf } from '../../follow/relation';
import { followRowsOf } from '../../write/follow/follow-rows';
import { writeOf } from '../../kit/data/write';
import type { RowWriter } from '../../kit/data/row-writer';

/**
 * Writes a relation, with its rows in both users' lists. The rows carry the time when the relation began, so they undo
 * nothing that users have done here since.
 */
export type StoreFollow = (follower: string, followee: string, followedAt: Date) => Promise<void>;

/** How many counters there are, one byte each: the greatest prime below 2^24, because ids may have the same low bits. */
const COUNTERS = 16_777_213;

/**
 * Creates the function that stores the relations of an import. After the first `maxUnshardedFollowing` (at most 255)
 * relations of a follower, the others are sharded: the followee's tweets go to shards of the follower's timeline. Several
 * followers may have the same counter and then reach that number earlier; a counter stops at 255.
 */
export function createFollows(writer: RowWriter, maxUnshardedFollowing: number): StoreFollow {
  const counts = new Uint8ClampedArray(COUNTERS);
  return async (follower, followee, followedAt) => {
    const index = shardOf(follower, COUNTERS);
    const before = counts[index] ?? 0;
    counts[index] = before + 1;
    const parted = before >= maxUnshardedFollowing;
    const relation = { follows: true, since: followedAt, at: followedAt, turn: 0, parted };
    const timing = { at: timeOf(relation) };
    await writer.put(writeOf(relations, importedRelation(follower, followee, followedAt, parted), timing));
    const { writes, listBuckets } = followRowsOf(follower, followee, relation);
    for (const write of writes) await writer.put(write);
    for (const { list, owner, bucket } of listBuckets) await writer.putBucket(list, owner, bucket);
  };
}
