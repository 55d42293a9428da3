import type { Load } from '../kit/data/load';
import { MAX_UNSHARDED_ROWS, type ListPartitions, readListPartitions } from '../kit/data/shards';
import { mostLiked } from '../tweet/top-liked';
import { ownerOf } from './term-owner';
import type { TermIndex, TermRow } from './term.table';

/** A term, and where its rows may be. */
export interface PlacedTerm {
  readonly term: string;
  readonly places: ListPartitions;
  /** About how many tweets have it; not known of one that is asked for alone. */
  readonly number?: number;
  /** The first rows of its newest bucket, where they were read: `SAMPLE_ROWS`, or all that there are. */
  readonly first?: readonly TermRow[];
}

/** Reads where the rows of some terms may be. */
export function topTermsOf(
  load: Load,
  { name }: { readonly name: string },
  terms: readonly string[],
): Promise<PlacedTerm[]> {
  return Promise.all(
    terms.map(async (term) => ({ term, places: await readListPartitions(load, name, ownerOf(term)) })),
  );
}

/** Of how many tweets of a word its number is estimated, and of how few it cannot be, or of a share of one that is spread. */
export const SAMPLE_ROWS = 400;

const MAX_RARE_ROWS = 100;

/** How far ids of a year are apart: 2^22 a millisecond (Twitter's snowflakes). */
const IDS_OF_A_YEAR = 365 * 86_400_000 * 2 ** 22;

/** Terms, the rarest first, told by the years in which they were used and how close their last tweets lie together. */
export async function byRarity(
  load: Load,
  { newest }: TermIndex,
  terms: readonly string[],
): Promise<readonly PlacedTerm[]> {
  const placed = await topTermsOf(load, newest, terms);
  if (placed.length < 2) return placed;
  const sampled = await Promise.all(
    placed.map(async ({ term, places }) => {
      const [last, former] = places.buckets;
      if (last === undefined) return { term, places, number: 0 };
      const newestYear = await sampleOf(load, newest, term, places, last);
      // Of a year that has just begun little is known: the one before tells how it was in others.
      const year =
        former !== undefined && newestYear.number < MAX_RARE_ROWS
          ? await sampleOf(load, newest, term, places, former)
          : newestYear;
      const number = newestYear.number + (places.buckets.length - 1) * year.number;
      return { term, places, number, ...(newestYear.rows && { first: newestYear.rows }) };
    }),
  );
  return sampled.sort((a, b) => a.number - b.number);
}

/** About how many rows a term has in a bucket. */
async function sampleOf(
  load: Load,
  table: TermIndex['newest'],
  term: string,
  { partitionsOf }: ListPartitions,
  bucket: number,
): Promise<{ readonly number: number; readonly rows?: readonly TermRow[] }> {
  const [own = bucket, share, ...shares] = partitionsOf(bucket);
  const limit = share === undefined ? SAMPLE_ROWS : MAX_RARE_ROWS;
  const rows = await load(table.page, { bucket: share ?? own, term, limit });
  const span = BigInt(rows[0]?.tweetId ?? 0) - BigInt(rows.at(-1)?.tweetId ?? 0);
  const number = rows.length < limit ? rows.length : (limit * IDS_OF_A_YEAR) / Math.max(1, Number(span));
  // What is spread was common before there were shares.
  if (share !== undefined) return { number: Math.max(MAX_UNSHARDED_ROWS, number * (shares.length + 1)) };
  return { number, rows };
}

/** A term with about how many liked tweets have it. */
export interface LikedTerm extends PlacedTerm {
  readonly liked: number;
}

/**
 * Terms, the least liked first, told by the first liked tweets of the years that they share: about half as many have twice as many
 * likes. Reads the slice of each year that the most liked begin with, but of what is spread.
 */
export async function byLikes(
  load: Load,
  { top }: TermIndex,
  placed: readonly PlacedTerm[],
  shared: readonly number[],
  limit: number,
): Promise<readonly LikedTerm[]> {
  if (placed.length < 2) return placed.map((one) => ({ ...one, liked: Infinity }));
  const told = await Promise.all(
    placed.map(async (one) => {
      const { term, places } = one;
      if (places.isSharded) return { ...one, liked: MAX_UNSHARDED_ROWS * shared.length };
      const years = await Promise.all(
        shared.map((bucket) => load(top.page, { bucket, term, ...mostLiked(limit) })),
      );
      const numbers = years.map((rows) =>
        rows.length < limit ? rows.length : limit * 2 ** ((rows.at(-1)?.magnitude ?? 1) - 1),
      );
      return { ...one, liked: 2 * numbers.reduce((sum, number) => sum + number, 0) };
    }),
  );
  return told.sort((a, b) => a.liked - b.liked);
}
