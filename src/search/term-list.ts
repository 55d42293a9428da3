import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import type { List, Source } from '../kit/relay/connection';
import { bucketIn } from '../kit/relay/spread';
import { topList, type TopRow, type TopSources } from '../tweet/top-list';
import { shownList, tweetPosition } from '../tweet/tweet-list';
import { tweets } from '../tweet/tweet.table';
import { byRarity, placesOfTerms, SAMPLE, type PlacedTerm } from './rarity';
import type { TermIndex } from './term.table';
import { newestOf } from './term-pages';

type TweetRow = Row<typeof tweets>;

/** How many rows of the rarest term are read at first where others must be there too, at most at once, and for one page. */
const FIRST_ROWS = SAMPLE;
const ROWS_AT_ONCE = 1000;
const MOST_ROWS = 5000;
/** How many liked rows of it are read at first where the others are common. */
const FIRST_OF_COMMON = 150;

/** The tweets that have all of some terms, newest first; none where one of the terms is nowhere. */
export async function termList(
  load: Load,
  index: TermIndex,
  terms: readonly string[],
  mostRows = MOST_ROWS,
): Promise<List<TweetRow>> {
  return newestList(load, index, terms, await byRarity(load, index, terms), mostRows);
}

function newestList(
  load: Load,
  index: TermIndex,
  terms: readonly string[],
  placed: readonly PlacedTerm[],
  mostRows = MOST_ROWS,
): List<TweetRow> {
  const [driver] = placed;
  return shownList(load, {
    name: `${index.newest.name} ${terms.join(' ')}`,
    buckets: () => Promise.resolve(driver?.places.buckets ?? []),
    atOnce: driver ? yearsAtOnce(driver) : 1,
    sources: (bucket) => [newestSource(load, index, placed, bucket, mostRows)],
    position: tweetPosition,
    mostRead: mostRows,
  });
}

/** How many rows of a term are in the years that are read at first, where most may not be of the list. */
const ROWS_OF_YEARS = 500;

/** How many years of a term have so many rows. */
function yearsAtOnce({ places, number = Infinity }: PlacedTerm): number {
  return Math.max(1, Math.ceil((places.buckets.length * ROWS_OF_YEARS) / Math.max(1, number)));
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
      let size = others.length === 0 ? limit : Math.max(limit, Math.min(FIRST_ROWS, mostRows));
      edge = null;
      for (let seen = 0; driver !== undefined && found.length < limit;) {
        const rows = await newestOf(load, index.newest, driver, bucket, {
          after: from,
          reversed,
          limit: size,
        });
        const ids = await amongAll(load, index, rows, others, bucket);
        found.push(...ids);
        const last = rows.at(-1);
        if (last === undefined || rows.length < size) break;
        from = [last.tweetId];
        seen += rows.length;
        if (seen >= mostRows && found.length < limit) edge = [last.tweetId];
        if (edge !== null) break;
        // As many as are expected to have what is missing, and half of that again.
        const wanted = (1.5 * (limit - found.length) * seen) / (found.length + 1);
        size = Math.min(Math.max(Math.ceil(wanted), FIRST_ROWS), ROWS_AT_ONCE);
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

/** The ids of those of some rows of a bucket that all other terms have, too, in their order. */
async function amongAll(
  load: Load,
  { newest }: TermIndex,
  rows: readonly { readonly tweetId: string }[],
  others: readonly PlacedTerm[],
  bucket: number,
): Promise<string[]> {
  const ids = rows.map(({ tweetId }) => tweetId);
  if (ids.length === 0) return [];
  const found = await Promise.all(
    others.map(async ({ term, places }) => {
      const read = places
        .partitionsOf(bucket, ids)
        .map((partition) => load(newest.among, { bucket: partition, term, among: ids }));
      return new Set((await Promise.all(read)).flat().map(({ tweetId }) => tweetId));
    }),
  );
  return ids.filter((id) => found.every((set) => set.has(id)));
}

/** The tweets that have all of some terms, most liked first. */
export async function topTermList(load: Load, index: TermIndex, terms: readonly string[]) {
  const [rarest, tops] = await Promise.all([
    byRarity(load, index, terms),
    placesOfTerms(load, index.top, terms),
  ]);
  const [rare, ...others] = rarest;
  const driver = tops.find(({ term }) => term === rare?.term);
  const sources: TopSources = {
    name: `${index.top.name} ${terms.join(' ')}`,
    owners: () =>
      Promise.resolve(
        driver?.places.buckets.flatMap((year) => driver.places.partitionsOf(year)).map(String) ?? [],
      ),
    top: (partition, slice) =>
      load(index.top.page, { bucket: Number(partition), term: driver?.term ?? '', ...slice }),
    ...(others.length > 0 && {
      narrow: async (partition: string, rows: readonly TopRow[]) => {
        const ids = new Set(await amongAll(load, index, rows, others, bucketIn(Number(partition))));
        return rows.filter(({ tweetId }) => ids.has(tweetId));
      },
    }),
    newest: newestList(load, index, terms, rarest),
    isFew: (rare?.number ?? Infinity) <= ROWS_OF_YEARS,
    holds: () => true,
  };
  // Most tweets of a word have those that are spread.
  const areCommon = others.length > 0 && others.every(({ places }) => places.isSpread);
  return topList(load, sources, areCommon ? { firstRows: FIRST_OF_COMMON } : {});
}
