import { shardOf } from '../../kit/base/shard-of';
import { relations } from '../../follow/follow.table';
import { importedRelation, timeOf } from '../../follow/relation';
import { followRowsOf } from '../../write/follow/follow-rows';
import { writeOf } from '../../kit/data/write';
import type { Writer } from './writer';

/** Writes a relation, both ways; as of the time when it began, so that it undoes nothing that was done here since. */
export type StoreFollow = (follower: string, followee: string, followedAt: Date) => Promise<void>;

/** How many counts are kept, a byte each: the greatest prime below 2^24, since ids may be alike in their last bits. */
const COUNTS = 16_777_213;

/**
 * Makes what stores the relations of an import: of each follower's, those are parted that come after `maxUnshardedFollowing`.
 * Followers who share a count come to that earlier; a count ends at 255.
 */
export function createFollows(writer: Writer, maxUnshardedFollowing: number): StoreFollow {
  const counts = new Uint8ClampedArray(COUNTS);
  return async (follower, followee, followedAt) => {
    const place = shardOf(follower, COUNTS);
    const before = counts[place] ?? 0;
    counts[place] = before + 1;
    const parted = before >= maxUnshardedFollowing;
    const relation = { follows: true, since: followedAt, at: followedAt, turn: 0, parted };
    const timing = { at: timeOf(relation) };
    await writer.put(writeOf(relations, importedRelation(follower, followee, followedAt, parted), timing));
    const { writes, listBuckets } = followRowsOf(follower, followee, relation);
    for (const write of writes) await writer.put(write);
    for (const { list, owner, bucket } of listBuckets) await writer.putBucket(list, owner, bucket);
  };
}
