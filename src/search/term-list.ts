import { compareIds } from '../kit/base/ids';
import { unitNames, type Cost } from '../kit/cost/cost';
import { limitLoad } from '../kit/cost/limit-load';
import { tooLarge } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import type { List, ListBounds, Slice, Source } from '../kit/relay/list';
import { byRarity, SAMPLE_ROWS, type PlacedTerm } from './rarity';
import type { TermIndex, TermRow } from './term.table';
import { newestOf } from './term-pages';

/** How many rows of the rarest term are read at a time where others must be there too. */
const ROWS_AT_ONCE = SAMPLE_ROWS;
/** How many of them are looked for among the others' at first, and at least. */
const FIRST_LOOKED_FOR = 100;
const MIN_LOOKED_FOR = 50;
/** Of a term with so many times as many rows a slice tells too little. */
const MUCH_COMMONER = 4;

/** How much a page of a term list reads: years, and the partitions of all terms in them. */
export const TERM_BOUNDS: ListBounds = { buckets: 32, partitions: 64, continuations: 8 };

/** How much the newest tweets of some terms read at most for a page, those tweets themselves left out. */
export function newestTermsCost(terms: number): Cost {
  return terms === 1 ? { reads: 160, rows: 10_000 } : { reads: 600 + 100 * terms, rows: 20_000 };
}

/** How a page of several terms is read. */
export interface TermBounds {
  /** Rows of the rarest term that are read at a time. */
  readonly rowsAtOnce: number;
  /** Once so much was read, a page ends that lacks tweets; what is under way then comes on top. */
  readonly enough: Cost;
}

/** The tweets that have all of some terms, newest first; none where one of the terms is nowhere. Its rows point to tweets. */
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

/** How many rows of the rarest term are in the years that are read at first: fewer where most tweets have the others, too. */
export const ROWS_OF_YEARS = 500;
const ROWS_OF_YEARS_BESIDE_COMMON = 100;

/** In how many years the rarest of some terms has so many rows. */
function yearsAtOnce([driver, ...others]: readonly PlacedTerm[]): number {
  if (driver === undefined) return 1;
  const { places, number = Infinity } = driver;
  const areCommon = others.every((other) => isMuchCommoner(other, driver));
  const rows = areCommon ? ROWS_OF_YEARS_BESIDE_COMMON : ROWS_OF_YEARS;
  return Math.max(1, Math.ceil((places.buckets.length * rows) / Math.max(1, number)));
}

function isMuchCommoner({ number = Infinity }: PlacedTerm, { number: rarest = 1 }: PlacedTerm): boolean {
  return !(number / Math.max(1, rarest) <= MUCH_COMMONER);
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
        for (let at = 0, some = FIRST_LOOKED_FOR; at < rows.length && found.length < limit; at += some) {
          // As many as are expected to have what is missing, and half of that again.
          if (at > 0)
            some = Math.max(
              MIN_LOOKED_FOR,
              Math.ceil((1.5 * (limit - found.length) * at) / (found.length + 1)),
            );
          const ids = rows.slice(at, at + some).map(({ tweetId }) => tweetId);
          const having = new Set(await amongAll(load, index, ids, others, known, bucket));
          found.push(...rows.slice(at, at + some).filter(({ tweetId }) => having.has(tweetId)));
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

/** The ids of a term in a part of a list, in which all of them are known. */
export interface Known {
  readonly ids: ReadonlySet<string>;
  covers(tweetId: string): boolean;
}

/** What is known of another term where the rarest is read: a slice of about the same time; null where that tells too little. */
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
    : Math.min(SAMPLE_ROWS, Math.max(FIRST_LOOKED_FOR, Math.ceil(1.2 * ratio * limit)));
  const rows = await newestOf(load, newest, other, bucket, { after, reversed, limit: size });
  const end = rows.length < size ? undefined : rows.at(-1)?.tweetId;
  return {
    ids: new Set(rows.map(({ tweetId }) => tweetId)),
    covers: (tweetId) => end === undefined || compareIds(tweetId, end) * (reversed ? -1 : 1) >= 0,
  };
}

/** Those of some ids of a bucket that all other terms have, too, in their order. */
export async function amongAll(
  load: Load,
  { newest }: TermIndex,
  ids: readonly string[],
  others: readonly PlacedTerm[],
  known: readonly (Known | null)[],
  bucket: number,
): Promise<string[]> {
  const found = await Promise.all(
    others.map(async ({ term, places }, place) => {
      const part = known[place] ?? null;
      const rest = part === null ? ids : ids.filter((id) => !part.covers(id));
      if (rest.length === 0) return part?.ids ?? new Set();
      const read = places
        .partitionsOf(bucket, rest)
        .map((partition) => load(newest.among, { bucket: partition, term, among: rest }));
      return new Set([
        ...(part?.ids ?? []),
        ...(await Promise.all(read)).flat().map(({ tweetId }) => tweetId),
      ]);
    }),
  );
  return ids.filter((id) => found.every((set) => set.has(id)));
}

/** The years in which all of some terms were used, newest first: tweets that have all are of these. */
export function yearsOfAll([first, ...others]: readonly PlacedTerm[]): readonly number[] {
  return (
    first?.places.buckets.filter((year) => others.every(({ places }) => places.buckets.includes(year))) ?? []
  );
}
