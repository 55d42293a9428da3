import { createHash } from 'node:crypto';
import type { Write } from '../kit/cassandra/database';
import type { Row } from '../kit/cassandra/table';
import { monthOf } from '../kit/relay/buckets';
import { removalOf, writeOf } from '../kit/write';
import type { ListMonth } from '../tweet/rows';
import type { tweets } from '../tweet/tweet.table';
import type { TermIndex } from './term.table';

type Found = Pick<Row<typeof tweets>, 'tweetId' | 'createdAt'>;

/** By which owner `buckets` knows a term: two terms of one number would only be looked for in a partition too many. */
export function ownerOf(term: string): string {
  return String(createHash('sha256').update(term).digest().readBigInt64BE());
}

/** The rows by which a tweet is found by its terms, newest first. */
export function termRowsOf(
  { newest }: TermIndex,
  terms: Iterable<string>,
  { tweetId, createdAt }: Found,
): { writes: Write[]; months: ListMonth[] } {
  const bucket = monthOf(createdAt);
  const all = [...terms];
  return {
    writes: all.map((term) => writeOf(newest, { bucket, term, tweetId })),
    months: all.map((term) => ({ list: newest.name, owner: ownerOf(term), bucket })),
  };
}

/** The rows by which it is found among the most liked, as `placesOf` says. */
export function topTermRowsOf(
  { top }: TermIndex,
  terms: Iterable<string>,
  { tweetId, createdAt }: Found,
  magnitude: number,
): { writes: Write[]; months: ListMonth[] } {
  const bucket = createdAt.getUTCFullYear();
  const all = [...terms];
  return {
    writes: all.map((term) => writeOf(top, { bucket, term, magnitude, tweetId })),
    months: all.map((term) => ({ list: top.name, owner: ownerOf(term), bucket })),
  };
}

/** The removal of all those rows, of some magnitudes, as of a time in microseconds. */
export function termRemovalsOf(
  { newest, top }: TermIndex,
  terms: Iterable<string>,
  { tweetId, createdAt }: Found,
  magnitudes: readonly number[],
  at: number,
): Write[] {
  const year = createdAt.getUTCFullYear();
  return [...terms].flatMap((term) => [
    removalOf(newest, { bucket: monthOf(createdAt), term, tweetId }, at),
    ...magnitudes.map((magnitude) => removalOf(top, { bucket: year, term, magnitude, tweetId }, at)),
  ]);
}
