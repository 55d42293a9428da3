import { shardOf } from '../base/shard-of';

// A list that everybody adds to is divided into shards, so that no partition takes all writes. Its owner is a number, and each shard is
// stored under another one: that of the list, and two digits. All shards have the same buckets.

/** How many shards the digits can tell apart. */
export const MAX_SHARDS = 100;

interface Sharded {
  /** The number of equal shards of each list; 1 if it is not divided. */
  readonly shards: number;
}

/** The owners under which the shards of a list are stored: that of the list itself, if it is not divided. */
export function shardOwners({ shards }: Sharded, listOwner: string): readonly string[] {
  return shards === 1
    ? [listOwner]
    : Array.from({ length: shards }, (_, shard) => ownerOfShard(listOwner, shard));
}

/** The owner under which the row with an id is stored. */
export function shardOwnerFor({ shards }: Sharded, listOwner: string, id: string): string {
  return shards === 1 ? listOwner : ownerOfShard(listOwner, shardOf(id, shards));
}

/** The owner of a list that has a shard. */
export function listOwnerOf({ shards }: Sharded, owner: string): string {
  return shards === 1 ? owner : String(Math.floor(Number(owner) / MAX_SHARDS));
}

function ownerOfShard(listOwner: string, shard: number): string {
  return String(Number(listOwner) * MAX_SHARDS + shard);
}
