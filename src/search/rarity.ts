import type { Load } from '../kit/load';
import { placesIn, type Places } from '../kit/relay/spread';
import { ownerOf } from './term-rows';
import type { TermIndex, TermRow } from './term.table';

/** A term, and where its rows may be. */
export interface PlacedTerm {
  readonly term: string;
  readonly places: Places;
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
      const [last] = places.buckets;
      if (last === undefined) return { term, places, number: 0 };
      const [own = last, ...shares] = places.partitionsOf(last);
      const sample = await load(newest.page, { bucket: shares[0] ?? own, term, limit: SAMPLE });
      const span = BigInt(sample[0]?.tweetId ?? 0) - BigInt(sample.at(-1)?.tweetId ?? 0);
      const aYear =
        sample.length < SAMPLE ? sample.length : (SAMPLE * IDS_OF_A_YEAR) / Math.max(1, Number(span));
      const number = places.buckets.length * aYear * Math.max(1, shares.length);
      return { term, places, number, ...(shares.length === 0 && { first: sample }) };
    }),
  );
  return sampled.sort((a, b) => a.number - b.number);
}
