import type { Load } from '../kit/data/load';
import { bucketOfPartition } from '../kit/data/shards';
import { firstSize } from '../tweet/top-merge';
import type { Prepared, TopSlice, TopSources } from '../tweet/top-list';
import { compareRows, type TopRow } from '../tweet/top-position';
import { listedTweet } from '../tweet/visible';
import { byLikes, topTermsOf, type IndexedTerm } from './rarity';
import { amongAll, ROWS_OF_YEARS, termList, yearsOfAll, type Known } from './term-list';
import type { TermIndex, TermRow } from './term.table';

/** How many rows of the term with the fewest liked tweets are read at first. */
const FIRST_LIKED_ROWS = 400;
/** The same if at most one of the terms has no shards, so that most rows have the other terms too. */
const FIRST_LIKED_ROWS_OF_COMMON = 150;

/** The sources of the tweets that have all of the given terms, most liked first. */
export async function mostLikedOfTerms(
  load: Load,
  index: TermIndex,
  terms: readonly string[],
): Promise<Prepared<TermRow>> {
  const [inNewest, inTop] = await Promise.all([
    terms.length > 1 ? topTermsOf(load, index.newest, terms) : [],
    topTermsOf(load, index.top, terms),
  ]);
  const years = yearsOfAll(inTop);
  const areCommon = terms.length > 1 && inTop.filter(({ partitions }) => !partitions.isSharded).length < 2;
  const firstRows = areCommon ? FIRST_LIKED_ROWS_OF_COMMON : FIRST_LIKED_ROWS;
  const tops = await byLikes(load, index, inTop, years, firstSize(firstRows, years.length));
  const [driver, ...others] = tops;
  const othersInNewest = others.flatMap(({ term }) => inNewest[terms.indexOf(term)] ?? []);
  const pageOf = (load: Load, { term }: IndexedTerm, partition: number, slice: TopSlice) =>
    load(index.top.page, { bucket: partition, term, ...slice });
  const sources: TopSources<TermRow> = {
    name: `${index.top.name} ${terms.join(' ')}`,
    owners: () =>
      Promise.resolve(years.flatMap((year) => driver?.partitions.partitionsOf(year) ?? []).map(String)),
    async top(load, owner, slice) {
      // Read ahead the slices of the other terms, which `narrow` needs next.
      for (const other of others)
        if (!other.partitions.isSharded)
          pageOf(load, other, bucketOfPartition(Number(owner)), slice).catch(() => undefined);
      return driver ? pageOf(load, driver, Number(owner), slice) : [];
    },
    ...(others.length > 0 && {
      async narrow(load: Load, owner: string, rows: readonly TopRow[], slice: TopSlice) {
        const year = bucketOfPartition(Number(owner));
        const known = await Promise.all(
          others.map(async (other): Promise<Known | null> => {
            if (other.partitions.isSharded) return null;
            return knownOfTop(await pageOf(load, other, year, slice), slice, rows);
          }),
        );
        const ids = rows.map(({ tweetId }) => tweetId);
        const kept = new Set(await amongAll(load, index, ids, othersInNewest, known, year));
        return rows.filter(({ tweetId }) => kept.has(tweetId));
      },
    }),
    newest: (load) => termList(load, index, terms),
    tweetOf: (load, { tweetId }) => listedTweet(load, tweetId),
    isFew: (driver?.liked ?? Infinity) <= ROWS_OF_YEARS,
    holds: () => true,
  };
  return others.length > 0 ? { sources, firstRows } : { sources };
}

/** What the slice of another term tells about `rows`, which are from the same slice of the first term. */
function knownOfTop(slice: readonly TopRow[], { limit, reversed }: TopSlice, rows: readonly TopRow[]): Known {
  const end = slice.length < limit ? undefined : slice.at(-1);
  const isCovered = (row: TopRow) => end === undefined || compareRows(row, end) * (reversed ? -1 : 1) >= 0;
  // A tweet has a row for each magnitude that it reached, so one of its rows may be outside the slice.
  const open = new Set(rows.filter((row) => !isCovered(row)).map(({ tweetId }) => tweetId));
  return { ids: new Set(slice.map(({ tweetId }) => tweetId)), covers: (tweetId) => !open.has(tweetId) };
}
