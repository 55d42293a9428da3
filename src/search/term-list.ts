import { compareIds } from '../kit/base/ids';
import { unitNames, type Cost } from '../kit/cost/cost';
import { limitLoad } from '../kit/cost/limit-load';
import { tooLarge } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import type { List, ListBounds, Slice, Source } from '../kit/relay/list';
import { byRarity, SAMPLE_ROWS, type PlacedTerm } from './rarity';
import type { TermIndex, TermRow } from './term.table';
import { newestOf } from './term-pages';

/** How many rows of the rarest term are read at a time, when there are other terms. */
const ROWS_AT_ONCE = SAMPLE_ROWS;
/** How many of these rows are looked up in the other terms at first. */
const FIRST_LOOKED_UP = 100;
/** How many of these rows are looked up in the other terms at least, after the first ones. */
const MIN_LOOKED_UP = 50;
/** A slice of a term that has more than this many times the rows of the rarest term tells too little. */
const MUCH_COMMONER_RATIO = 4;

/** How much a page of a term list reads. Buckets are years; partitions are those of all terms in these years. */
export const TERM_BOUNDS: ListBounds = { buckets: 32, partitions: 64, continuations: 8 };

/** How much a page of NEWEST reads at most for the given number of terms, not counting the tweets themselves. */
export function newestTermsCost(terms: number): Cost {
  return terms === 1 ? { reads: 160, rows: 10_000 } : { reads: 600 + 100 * terms, rows: 20_000 };
}

/** The bounds of a page of several terms. */
export interface TermBounds {
  /** How many rows of the rarest term are read at a time. */
  readonly rowsAtOnce: number;
  /** Once this much was read, a page ends although it is not full. Reads that are under way then come on top. */
  readonly enough: Cost;
}

/** The tweets that have all of the given terms, newest first. Its rows only point to tweets. */
export async function termList(
  given: Load,
  index: TermIndex,
  terms: readonly string[],
  bounds: Partial<TermBounds> = {},
): Promise<List<TermRow>> {
  const max = newestTermsCost(terms.length);
  const { rowsAtOnce = ROWS_AT_ONCE, enough = { reads: max.reads / 2, rows: max.rows / 4 } } = bounds;
  const load = limitLoad(given, max, (_, unit) =>
    tooLarge(
      `A page of ${terms.length} words may read ${max[unit]} ${unitNames[unit]}, but this one would read more${terms.length > 1 ? ': give fewer words' : ''}.`,
    ),
  );
  const placed = await byRarity(load, index, terms);
  const isEnough = () => {
    const { reads, rows } = load.used();
    return reads > enough.reads || rows > enough.rows;
  };
  return {
    name: `${index.newest.name} ${terms.join(' ')}`,
    bounds: TERM_BOUNDS,
    buckets: () => Promise.resolve(yearsOfAll(placed)),
    atOnce: yearsAtOnce(placed),
    sources: (bucket) => [newestSource(load, index, placed, bucket, rowsAtOnce, isEnough)],
    position: ({ tweetId }) => [tweetId],
  };
}

/** About how many rows of the rarest term the years have that a page reads at first. */
export const ROWS_OF_YEARS = 500;
/** The same if all other terms are much commoner, so that most of these rows have them too. */
const ROWS_OF_YEARS_BESIDE_COMMON = 100;

/** How many years a page reads at first: the rarest term has about the wanted number of rows in them. */
function yearsAtOnce([driver, ...others]: readonly PlacedTerm[]): number {
  if (driver === undefined) return 1;
  const { places, number = Infinity } = driver;
  const areCommon = others.every((other) => isMuchCommoner(other, driver));
  const rows = areCommon ? ROWS_OF_YEARS_BESIDE_COMMON : ROWS_OF_YEARS;
  return Math.max(1, Math.ceil((places.buckets.length * rows) / Math.max(1, number)));
}

function isMuchCommoner({ number = Infinity }: PlacedTerm, { number: rarest = 1 }: PlacedTerm): boolean {
  return !(number / Math.max(1, rarest) <= MUCH_COMMONER_RATIO);
}

function newestSource(
  load: Load,
  index: TermIndex,
  [driver, ...others]: readonly PlacedTerm[],
  bucket: number,
  rowsAtOnce: number,
  isEnough: () => boolean,
): Source<TermRow> {
  let edge: readonly string[] | null = null;
  return {
    partitions: [driver, ...others].reduce(
      (sum, term) => sum + (term?.places.partitionsOf(bucket).length ?? 0),
      0,
    ),
    async read({ after, reversed, limit }) {
      edge = null;
      if (driver === undefined) return [];
      if (others.length === 0)
        return newestOf(load, index.newest, driver, bucket, { after, reversed, limit });
      const found: TermRow[] = [];
      for (let from = after; ;) {
        const slice = { after: from, reversed, limit: rowsAtOnce };
        const [rows, ...known] = await Promise.all([
          newestOf(load, index.newest, driver, bucket, slice),
          ...others.map((other) => knownOf(load, index, other, driver, bucket, slice)),
        ]);
        for (let at = 0, size = FIRST_LOOKED_UP; at < rows.length && found.length < limit; at += size) {
          // 1.5 times as many as are expected to be needed, by how many of the rows so far had all terms.
          if (at > 0)
            size = Math.max(
              MIN_LOOKED_UP,
              Math.ceil((1.5 * (limit - found.length) * at) / (found.length + 1)),
            );
          const ids = rows.slice(at, at + size).map(({ tweetId }) => tweetId);
          const matching = new Set(await amongAll(load, index, ids, others, known, bucket));
          found.push(...rows.slice(at, at + size).filter(({ tweetId }) => matching.has(tweetId)));
        }
        const last = rows.at(-1);
        if (found.length >= limit) return found.slice(0, limit);
        if (last === undefined || rows.length < rowsAtOnce) return found;
        from = [last.tweetId];
        if (!isEnough()) continue;
        edge = [last.tweetId];
        return found;
      }
    },
    edge: () => edge,
  };
}

/** All ids of a term within a range of a list. */
export interface Known {
  readonly ids: ReadonlySet<string>;
  /** Whether an id is within the range, so that `ids` tells whether the term has it. */
  covers(tweetId: string): boolean;
}

/** Reads a slice of another term for about the same time as the slice of the rarest; null if it would tell too little. */
async function knownOf(
  load: Load,
  { newest }: TermIndex,
  other: PlacedTerm,
  driver: PlacedTerm,
  bucket: number,
  { after, reversed, limit }: Slice,
): Promise<Known | null> {
  const ratio = (other.number ?? Infinity) / Math.max(1, driver.number ?? 1);
  const isFirst = after === undefined && !reversed && bucket === other.places.buckets[0];
  if (!(isFirst && other.first) && (other.places.isSharded || isMuchCommoner(other, driver))) return null;
  const size = isFirst
    ? SAMPLE_ROWS
    : Math.min(SAMPLE_ROWS, Math.max(FIRST_LOOKED_UP, Math.ceil(1.2 * ratio * limit)));
  const rows = await newestOf(load, newest, other, bucket, { after, reversed, limit: size });
  const end = rows.length < size ? undefined : rows.at(-1)?.tweetId;
  return {
    ids: new Set(rows.map(({ tweetId }) => tweetId)),
    covers: (tweetId) => end === undefined || compareIds(tweetId, end) * (reversed ? -1 : 1) >= 0,
  };
}

/** Filters the ids of a bucket to those that all other terms have too. What `known` covers is not looked up. */
export async function amongAll(
  load: Load,
  { newest }: TermIndex,
  ids: readonly string[],
  others: readonly PlacedTerm[],
  known: readonly (Known | null)[],
  bucket: number,
): Promise<string[]> {
  const found = await Promise.all(
    others.map(async ({ term, places }, index) => {
      const range = known[index] ?? null;
      const rest = range === null ? ids : ids.filter((id) => !range.covers(id));
      if (rest.length === 0) return range?.ids ?? new Set();
      const read = places
        .partitionsOf(bucket, rest)
        .map((partition) => load(newest.among, { bucket: partition, term, among: rest }));
      return new Set([
        ...(range?.ids ?? []),
        ...(await Promise.all(read)).flat().map(({ tweetId }) => tweetId),
      ]);
    }),
  );
  return ids.filter((id) => found.every((set) => set.has(id)));
}

/** The years in which all of the given terms were used, newest first. Only these can have tweets with all terms. */
export function yearsOfAll([first, ...others]: readonly PlacedTerm[]): readonly number[] {
  return (
    first?.places.buckets.filter((year) => others.every(({ places }) => places.buckets.includes(year))) ?? []
  );
}
