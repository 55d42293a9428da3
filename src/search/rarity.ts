import type { Load } from '../kit/data/load';
import { MAX_UNSHARDED_ROWS, type ListPartitions, readListPartitions } from '../kit/data/shards';
import { mostLiked } from '../tweet/top-liked';
import { ownerOf } from './term-owner';
import type { TermIndex, TermRow } from './term.table';

/** A term, with the partitions that may have its rows. */
export interface IndexedTerm {
  readonly term: string;
  readonly partitions: ListPartitions;
  /** About how many tweets have the term; not estimated for a single term. */
  readonly number?: number;
  /** The first rows of its newest bucket, if they were read: `SAMPLE_ROWS` rows, or all if there are fewer. */
  readonly first?: readonly TermRow[];
}

/** Reads which partitions of a table may have rows of the given terms. */
export function topTermsOf(
  load: Load,
  { name }: { readonly name: string },
  terms: readonly string[],
): Promise<IndexedTerm[]> {
  return Promise.all(
    terms.map(async (term) => ({ term, partitions: await readListPartitions(load, name, ownerOf(term)) })),
  );
}

/** How many rows of a term are read to estimate how many tweets have it. */
export const SAMPLE_ROWS = 400;

/** With fewer rows than this, a year tells too little. Of a term with shards, so many rows of one shard are read. */
const MAX_RARE_ROWS = 100;

/** By how much ids grow in a year: 2^22 a millisecond (Twitter's snowflakes). */
const IDS_OF_A_YEAR = 365 * 86_400_000 * 2 ** 22;

/**
 * Sorts terms, the rarest first. How many tweets have a term is estimated from the number of years in which it was used, and
 * from how close together its newest tweets are.
 */
export async function byRarity(
  load: Load,
  { newest }: TermIndex,
  terms: readonly string[],
): Promise<readonly IndexedTerm[]> {
  const indexedTerms = await topTermsOf(load, newest, terms);
  if (indexedTerms.length < 2) return indexedTerms;
  const sampled = await Promise.all(
    indexedTerms.map(async ({ term, partitions }) => {
      const [last, previous] = partitions.buckets;
      if (last === undefined) return { term, partitions, number: 0 };
      const newestYear = await sampleOf(load, newest, term, partitions, last);
      // A year that has just begun tells little. Then the year before stands for all others.
      const year =
        previous !== undefined && newestYear.number < MAX_RARE_ROWS
          ? await sampleOf(load, newest, term, partitions, previous)
          : newestYear;
      const number = newestYear.number + (partitions.buckets.length - 1) * year.number;
      return { term, partitions, number, ...(newestYear.rows && { first: newestYear.rows }) };
    }),
  );
  return sampled.sort((a, b) => a.number - b.number);
}

/** Estimates how many rows a term has in a bucket. Returns also the rows that were read, if the bucket has no shards. */
async function sampleOf(
  load: Load,
  table: TermIndex['newest'],
  term: string,
  { partitionsOf }: ListPartitions,
  bucket: number,
): Promise<{ readonly number: number; readonly rows?: readonly TermRow[] }> {
  const [own = bucket, shard, ...otherShards] = partitionsOf(bucket);
  const limit = shard === undefined ? SAMPLE_ROWS : MAX_RARE_ROWS;
  const rows = await load(table.page, { bucket: shard ?? own, term, limit });
  const span = BigInt(rows[0]?.tweetId ?? 0) - BigInt(rows.at(-1)?.tweetId ?? 0);
  const number = rows.length < limit ? rows.length : (limit * IDS_OF_A_YEAR) / Math.max(1, Number(span));
  // A bucket gets shards only once it has many rows.
  if (shard !== undefined) return { number: Math.max(MAX_UNSHARDED_ROWS, number * (otherShards.length + 1)) };
  return { number, rows };
}

/** A term, and about how many liked tweets have it. */
export interface LikedTerm extends IndexedTerm {
  readonly liked: number;
}

/**
 * Sorts terms, the one with the fewest liked tweets first. The number is estimated from the most liked tweets of the years
 * that all terms have: half as many tweets have twice as many likes. Reads the slices with which a list of the most liked
 * begins, except those of terms with shards.
 */
export async function byLikes(
  load: Load,
  { top }: TermIndex,
  indexedTerms: readonly IndexedTerm[],
  years: readonly number[],
  limit: number,
): Promise<readonly LikedTerm[]> {
  if (indexedTerms.length < 2) return indexedTerms.map((indexed) => ({ ...indexed, liked: Infinity }));
  const estimated = await Promise.all(
    indexedTerms.map(async (indexed) => {
      const { term, partitions } = indexed;
      if (partitions.isSharded) return { ...indexed, liked: MAX_UNSHARDED_ROWS * years.length };
      const slices = await Promise.all(
        years.map((bucket) => load(top.page, { bucket, term, ...mostLiked(limit) })),
      );
      const numbers = slices.map((rows) =>
        rows.length < limit ? rows.length : limit * 2 ** ((rows.at(-1)?.magnitude ?? 1) - 1),
      );
      return { ...indexed, liked: 2 * numbers.reduce((sum, number) => sum + number, 0) };
    }),
  );
  return estimated.sort((a, b) => a.liked - b.liked);
}
