import type { Row } from '../kit/cassandra/table';
import { compareIds } from '../kit/compare-ids';
import type { Load } from '../kit/load';
import type { List, Slice, Source } from '../kit/relay/connection';
import { bucketIn } from '../kit/relay/spread';
import { firstSize, topList, type TopSlice, type TopSources } from '../tweet/top-list';
import { compareRows, type TopRow } from '../tweet/top-place';
import { shownList, tweetPosition } from '../tweet/tweet-list';
import { tweets } from '../tweet/tweet.table';
import { byLikes, byRarity, placesOfTerms, SAMPLE, type PlacedTerm } from './rarity';
import type { TermIndex } from './term.table';
import { newestOf } from './term-pages';

type TweetRow = Row<typeof tweets>;

/** How many rows of the rarest term are read at a time where others must be there too, and for one page. */
const ROWS_AT_ONCE = SAMPLE;
const MOST_ROWS = 5000;
/** How many of them are looked for among the others' at first. */
const FIRST_LOOKED_FOR = 100;
/** Of a term with so many times as many rows a slice tells too little. */
const MUCH_COMMONER = 4;
/** How many liked rows of it are read at first, and where all others are common. */
const FIRST_LIKED = 400;
const FIRST_OF_COMMON = 150;
/** How many liked tweets a page of those that nobody likes passes over: some dozens of rows are read to find each. */
const MOST_PASSED = 500;

/** The tweets that have all of some terms, newest first; none where one of the terms is nowhere. */
export async function termList(
  load: Load,
  index: TermIndex,
  terms: readonly string[],
  mostRows = MOST_ROWS,
): Promise<List<TweetRow>> {
  const placed = await byRarity(load, index, terms);
  return shownList(load, {
    name: `${index.newest.name} ${terms.join(' ')}`,
    buckets: () => Promise.resolve(yearsOfAll(placed)),
    atOnce: yearsAtOnce(placed),
    sources: (bucket) => [newestSource(load, index, placed, bucket, mostRows)],
    position: tweetPosition,
    mostRead: mostRows,
  });
}

/** How many rows of the rarest term are in the years that are read at first: fewer where most tweets have the others, too. */
const ROWS_OF_YEARS = 500;
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
  mostRows: number,
): Source<TweetRow> {
  const missing = new Set<string>();
  let edge: readonly string[] | null = null;
  return {
    async read({ after, reversed, limit }) {
      const found: string[] = [];
      let from = after;
      const size = others.length === 0 ? limit : Math.max(limit, Math.min(ROWS_AT_ONCE, mostRows));
      edge = null;
      for (let seen = 0; driver !== undefined && found.length < limit;) {
        const slice = { after: from, reversed, limit: size };
        const [rows, ...known] = await Promise.all([
          newestOf(load, index.newest, driver, bucket, slice),
          ...others.map((other) => knownOf(load, index, other, driver, bucket, slice)),
        ]);
        const ids = rows.map(({ tweetId }) => tweetId);
        for (let at = 0, some = FIRST_LOOKED_FOR; at < ids.length && found.length < limit; at += some) {
          // As many as are expected to have what is missing, and half of that again.
          if (at > 0) some = Math.ceil((1.5 * (limit - found.length) * at) / (found.length + 1));
          found.push(...(await amongAll(load, index, ids.slice(at, at + some), others, known, bucket)));
        }
        const last = rows.at(-1);
        if (last === undefined || rows.length < size) break;
        from = [last.tweetId];
        seen += rows.length;
        if (seen >= mostRows && found.length < limit) edge = [last.tweetId];
        if (edge !== null) break;
      }
      const ids = found.slice(0, limit);
      const read = await Promise.all(ids.map((tweetId) => load(tweets.get, { tweetId })));
      return ids.map((tweetId, place) => {
        const tweet = read[place];
        if (tweet == null) missing.add(tweetId);
        return tweet ?? { ...unseen, tweetId };
      });
    },
    holds: ({ tweetId }) => !missing.has(tweetId),
    edge: () => edge,
  };
}

/** The ids of a term in a part of a list, in which all of them are known. */
interface Known {
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
  if (!(isFirst && other.first) && (other.places.isSpread || isMuchCommoner(other, driver))) return null;
  const size = isFirst
    ? SAMPLE
    : Math.min(SAMPLE, Math.max(FIRST_LOOKED_FOR, Math.ceil(1.2 * ratio * limit)));
  const rows = await newestOf(load, newest, other, bucket, { after, reversed, limit: size });
  const end = rows.length < size ? undefined : rows.at(-1)?.tweetId;
  return {
    ids: new Set(rows.map(({ tweetId }) => tweetId)),
    covers: (tweetId) => end === undefined || compareIds(tweetId, end) * (reversed ? -1 : 1) >= 0,
  };
}

/** Holds the place of what is not to be seen: reading goes on behind it. */
const unseen: Omit<TweetRow, 'tweetId'> = {
  authorId: '0',
  content: '',
  createdAt: new Date(0),
  language: '',
  location: null,
  hashtags: null,
  mentions: null,
  inReplyToId: null,
  sharedTweetId: null,
  quotedTweetId: null,
};

/** Those of some ids of a bucket that all other terms have, too, in their order. */
async function amongAll(
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

/** What the slice of another term tells of rows, which are those of the same slice. */
function knownOfTop(slice: readonly TopRow[], { limit, reversed }: TopSlice, rows: readonly TopRow[]): Known {
  const end = slice.length < limit ? undefined : slice.at(-1);
  const isCovered = (row: TopRow) => end === undefined || compareRows(row, end) * (reversed ? -1 : 1) >= 0;
  // A tweet may have several rows, of the likes that it came to.
  const open = new Set(rows.filter((row) => !isCovered(row)).map(({ tweetId }) => tweetId));
  return { ids: new Set(slice.map(({ tweetId }) => tweetId)), covers: (tweetId) => !open.has(tweetId) };
}

/** The years in which all of some terms were used, newest first: tweets that have all are of these. */
function yearsOfAll([first, ...others]: readonly PlacedTerm[]): readonly number[] {
  return (
    first?.places.buckets.filter((year) => others.every(({ places }) => places.buckets.includes(year))) ?? []
  );
}

/** The tweets that have all of some terms, most liked first. */
export async function topTermList(load: Load, index: TermIndex, terms: readonly string[]) {
  const [inNewest, inTop] = await Promise.all([
    terms.length > 1 ? placesOfTerms(load, index.newest, terms) : [],
    placesOfTerms(load, index.top, terms),
  ]);
  const years = yearsOfAll(inTop);
  const areCommon = terms.length > 1 && inTop.filter(({ places }) => !places.isSpread).length < 2;
  const firstRows = areCommon ? FIRST_OF_COMMON : FIRST_LIKED;
  const tops = await byLikes(load, index, inTop, years, firstSize(firstRows, years.length));
  const [driver, ...others] = tops;
  const othersInNewest = others.flatMap(({ term }) => inNewest[terms.indexOf(term)] ?? []);
  const pageOf = ({ term }: PlacedTerm, partition: number, slice: TopSlice) =>
    load(index.top.page, { bucket: partition, term, ...slice });
  const sources: TopSources = {
    name: `${index.top.name} ${terms.join(' ')}`,
    owners: () =>
      Promise.resolve(years.flatMap((year) => driver?.places.partitionsOf(year) ?? []).map(String)),
    async top(owner, slice) {
      // What the others have of it is looked up by `narrow`: on its way at once.
      for (const other of others)
        if (!other.places.isSpread) pageOf(other, bucketIn(Number(owner)), slice).catch(() => undefined);
      return driver ? pageOf(driver, Number(owner), slice) : [];
    },
    ...(others.length > 0 && {
      async narrow(owner: string, rows: readonly TopRow[], slice: TopSlice) {
        const year = bucketIn(Number(owner));
        const known = await Promise.all(
          others.map(async (other): Promise<Known | null> => {
            if (other.places.isSpread) return null;
            return knownOfTop(await pageOf(other, year, slice), slice, rows);
          }),
        );
        const ids = rows.map(({ tweetId }) => tweetId);
        const kept = new Set(await amongAll(load, index, ids, othersInNewest, known, year));
        return rows.filter(({ tweetId }) => kept.has(tweetId));
      },
    }),
    newest: () => termList(load, index, terms),
    ...(others.length > 0 && { mostPassed: MOST_PASSED }),
    isFew: (driver?.liked ?? Infinity) <= ROWS_OF_YEARS,
    holds: () => true,
  };
  return topList(load, sources, others.length > 0 ? { firstRows } : {});
}
