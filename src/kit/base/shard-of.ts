/** Tells which of some shards a 64-bit id belongs to, from 0 on. */
export function shardOf(id: string, shards: number): number {
  return Number(BigInt(id) % BigInt(shards));
}
