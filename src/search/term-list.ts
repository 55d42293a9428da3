import { compareIds } from '../kit/base/ids';
import { unitNames, type Cost } from '../kit/cost/cost';
import { limitLoad } from '../kit/cost/limit-load';
import { tooLarge } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import {
  partsByBucket,
  sourceOf,
  type List,
  type ListBounds,
  type Slice,
  type Source,
} from '../kit/relay/list';
import { byRarity, SAMPLE_ROWS, type IndexedTerm } from './rarity';
import type { TermIndex, TermRow } from './term.table';
import { newestOf, positionOf } from './term-pages';

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
  const indexedTerms = await byRarity(load, index, terms);
  const isEnough = () => {
    const { reads, rows } = load.used();
    return reads > enough.reads || rows > enough.rows;
  };
  return {
    name: `${index.newest.name} ${terms.join(' ')}`,
    bounds: TERM_BOUNDS,
    atOnce: yearsAtOnce(indexedTerms),
    parts: partsByBucket(
      () => Promise.resolve(yearsOfAll(indexedTerms)),
      (bucket) => [newestSource(load, index, indexedTerms, bucket, rowsAtOnce, isEnough)],
    ),
    position: positionOf,
  };
}

/** About how many rows of the rarest term the years have that a page reads at first. */
export const ROWS_OF_YEARS = 500;
/** The same if all other terms are much commoner, so that most of these rows have them too. */
const ROWS_OF_YEARS_BESIDE_COMMON = 100;

/** How many years a page reads at first: the rarest term has about the wanted number of rows in them. */
function yearsAtOnce([driver, ...others]: readonly IndexedTerm[]): number {
  if (driver === undefined) return 1;
  const { partitions, number = Infinity } = driver;
  const areCommon = others.every((other) => isMuchCommoner(other, driver));
  const rows = areCommon ? ROWS_OF_YEARS_BESIDE_COMMON : ROWS_OF_YEARS;
  return Math.max(1, Math.ceil((partitions.buckets.length * rows) / Math.max(1, number)));
}

function isMuchCommoner({ number = Infinity }: IndexedTerm, { number: rarest = 1 }: IndexedTerm): boolean {
  return !(number / Math.max(1, rarest) <= MUCH_COMMONER_RATIO);
}

/** The source of the tweets of a bucket that have all of the given terms, which are sorted with the rarest first. */
function newestSource(
  load: Load,
  index: TermIndex,
  terms: readonly IndexedTerm[],
  bucket: number,
  rowsAtOnce: number,
  isEnough: () => boolean,
): Source<TermRow> {
  const [driver, ...others] = terms;
  const partitions = terms.reduce((sum, term) => sum + term.partitions.partitionsOf(bucket).length, 0);
  if (driver === undefined) return { partitions, read: () => Promise.resolve({ rows: [], end: null }) };
  const driverSource = sourceOf((slice) => newestOf(load, index.newest, driver, bucket, slice), positionOf);
  if (others.length === 0) return { ...driverSource, partitions };
  return {
    partitions,
    async read({ after, reversed, limit }) {
      const found: TermRow[] = [];
      for (let from = after; ;) {
        const slice = { after: from, reversed, limit: rowsAtOnce };
        const [{ rows, end }, ...known] = await Promise.all([
          driverSource.read(slice),
          ...others.map((other) => knownOf(load, index, other, driver, bucket, slice)),
        ]);
        found.push(
          ...(await takeMatching(rows, limit - found.length, (ids) =>
            amongAll(load, index, ids, others, known, bucket),
          )),
        );
        const last = found[limit - 1];
        if (last !== undefined) return { rows: found.slice(0, limit), end: positionOf(last) };
        if (end === null) return { rows: found, end };
        if (isEnough()) return { rows: found, end, isCut: true };
        from = end;
      }
    },
  };
}

/** Looks up rows in parts, until at least `wanted` of them match. Resolves to those that match, in order. */
async function takeMatching(
  rows: readonly TermRow[],
  wanted: number,
  matchingOf: (ids: readonly string[]) => Promise<readonly string[]>,
): Promise<TermRow[]> {
  const found: TermRow[] = [];
  for (let at = 0, size = FIRST_LOOKED_UP; at < rows.length && found.length < wanted; at += size) {
    // 1.5 times as many as are expected to be needed, by how many of the rows so far match.
    if (at > 0)
      size = Math.max(MIN_LOOKED_UP, Math.ceil((1.5 * (wanted - found.length) * at) / (found.length + 1)));
    const part = rows.slice(at, at + size);
    const matching = new Set(await matchingOf(part.map(({ tweetId }) => tweetId)));
    found.push(...part.filter(({ tweetId }) => matching.has(tweetId)));
  }
  return found;
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
  other: IndexedTerm,
  driver: IndexedTerm,
  bucket: number,
  { after, reversed, limit }: Slice,
): Promise<Known | null> {
  const ratio = (other.number ?? Infinity) / Math.max(1, driver.number ?? 1);
  const isFirst = after === undefined && !reversed && bucket === other.partitions.buckets[0];
  if (!(isFirst && other.first) && (other.partitions.isSharded || isMuchCommoner(other, driver))) return null;
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
  others: readonly IndexedTerm[],
  known: readonly (Known | null)[],
  bucket: number,
): Promise<string[]> {
  const found = await Promise.all(
    others.map(async ({ term, partitions }, index) => {
      const range = known[index] ?? null;
      const rest = range === null ? ids : ids.filter((id) => !range.covers(id));
      if (rest.length === 0) return range?.ids ?? new Set();
      const read = partitions
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
export function yearsOfAll([first, ...others]: readonly IndexedTerm[]): readonly number[] {
  return (
    first?.partitions.buckets.filter((year) =>
      others.every(({ partitions }) => partitions.buckets.includes(year)),
    ) ?? []
  );
}
