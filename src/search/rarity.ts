import type { Load } from '../kit/load';
import { MANY, placesIn, type Places } from '../kit/relay/spread';
import { ownerOf } from './term-rows';
import type { TermIndex, TermRow } from './term.table';

/** A term, and where its rows may be. */
export interface PlacedTerm {
  readonly term: string;
  readonly places: Places;
  /** About how many tweets have it; not known of one that is asked for alone. */
  readonly number?: number;
  /** The first rows of its newest bucket, where they were read: `SAMPLE`, or all that there are. */
  readonly first?: readonly TermRow[];
}

/** Reads where the rows of some terms may be. */
export function placesOfTerms(
  load: Load,
  { name }: { readonly name: string },
  terms: readonly string[],
): Promise<PlacedTerm[]> {
  return Promise.all(
    terms.map(async (term) => ({ term, places: await placesIn(load, name, ownerOf(term)) })),
  );
}

/** Of how many tweets of a word its number is estimated. */
export const SAMPLE = 100;
/** How far ids of a year are apart: 2^22 a millisecond (Twitter's snowflakes). */
const IDS_OF_A_YEAR = 365 * 86_400_000 * 2 ** 22;

/** Terms, the rarest first, told by the years in which they were used and how close their last tweets lie together. */
export async function byRarity(
  load: Load,
  { newest }: TermIndex,
  terms: readonly string[],
): Promise<readonly PlacedTerm[]> {
  const placed = await placesOfTerms(load, newest, terms);
  if (placed.length < 2) return placed;
  const sampled = await Promise.all(
    placed.map(async ({ term, places }) => {
      const [last, former] = places.buckets;
      if (last === undefined) return { term, places, number: 0 };
      const newestYear = await sampleOf(load, newest, term, places, last);
      // Of a year that has just begun little is known: the one before tells how it was in others.
      const year =
        former !== undefined && newestYear.isWhole
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
  { partitionsOf }: Places,
  bucket: number,
): Promise<{ readonly number: number; readonly isWhole: boolean; readonly rows?: readonly TermRow[] }> {
  const [own = bucket, share, ...shares] = partitionsOf(bucket);
  const rows = await load(table.page, { bucket: share ?? own, term, limit: SAMPLE });
  const span = BigInt(rows[0]?.tweetId ?? 0) - BigInt(rows.at(-1)?.tweetId ?? 0);
  const number = rows.length < SAMPLE ? rows.length : (SAMPLE * IDS_OF_A_YEAR) / Math.max(1, Number(span));
  // What is spread was common before there were shares.
  if (share !== undefined) return { number: Math.max(MANY, number * (shares.length + 1)), isWhole: false };
  return { number, isWhole: rows.length < SAMPLE, rows };
}
