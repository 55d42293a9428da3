/** Returns which shard a 64-bit id belongs to: from 0 to `shards` - 1. */
export function shardOf(id: string, shards: number): number {
  return Number(BigInt(id) % BigInt(shards));
}
