import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import type { List, Source } from '../kit/relay/connection';
import { bucketIn } from '../kit/relay/spread';
import { topList, type TopRow } from '../tweet/top-list';
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
  return shownList(load, {
    name: `${index.newest.name} ${terms.join(' ')}`,
    buckets: () => Promise.resolve(placed[0]?.places.buckets ?? []),
    sources: (bucket) => [newestSource(load, index, placed, bucket, mostRows)],
    position: tweetPosition,
    mostRead: mostRows,
  });
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
        size = Math.min(size * 4, ROWS_AT_ONCE);
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
  return topList(load, {
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
    holds: () => true,
  });
}
