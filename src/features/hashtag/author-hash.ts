import { createHash } from 'node:crypto';
import { HOUR_SHARDS } from './hashtag.table';

/** The least hash of an author, and how many hashes there are. */
export const MIN_AUTHOR_HASH = -(2 ** 31);
export const AUTHOR_HASHES = 2 ** 32;

/** Returns where the uses by an author are in each hour: the shard, and the hash that orders its rows. */
export function placeOfAuthor(authorId: string): { readonly shard: number; readonly authorHash: number } {
  const hash = createHash('sha256').update(authorId).digest();
  return { shard: hash.readUInt32BE(4) % HOUR_SHARDS, authorHash: hash.readInt32BE() };
}
