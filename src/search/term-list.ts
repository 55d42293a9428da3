import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import type { List } from '../kit/relay/connection';
import { bucketIn } from '../kit/relay/spread';
import { topList } from '../tweet/top-list';
import { shownList, tweetPosition } from '../tweet/tweet-list';
import { tweets } from '../tweet/tweet.table';
import { byRarity, placesOfTerms, type PlacedTerm } from './rarity';
import type { TermIndex } from './term.table';
import { newestOf } from './term-pages';

type TweetRow = Row<typeof tweets>;

/** The tweets that have all of some terms, newest first; none where one of the terms is nowhere. */
export async function termList(
  load: Load,
  index: TermIndex,
  terms: readonly string[],
): Promise<List<TweetRow>> {
  return newestList(load, index, terms, await byRarity(load, index, terms));
}

function newestList(
  load: Load,
  index: TermIndex,
  terms: readonly string[],
  [driver, ...others]: readonly PlacedTerm[],
): List<TweetRow> {
  const missing = new Set<string>();
  return shownList(load, {
    name: `${index.newest.name} ${terms.join(' ')}`,
    buckets: () => Promise.resolve(driver?.places.buckets ?? []),
    sources: (bucket) => [
      {
        async read(slice) {
          const rows = driver ? await newestOf(load, index.newest, driver, bucket, slice) : [];
          const found = await amongAll(rows, others, bucket, (term, partition, among) =>
            load(index.newest.among, { bucket: partition, term, among }),
          );
          const read = await Promise.all(
            rows.map(async ({ tweetId }) => (found.has(tweetId) ? load(tweets.get, { tweetId }) : null)),
          );
          return rows.map(({ tweetId }, place) => {
            const tweet = read[place];
            if (tweet == null) missing.add(tweetId);
            return tweet ?? { ...unseen, tweetId };
          });
        },
        holds: ({ tweetId }) => !missing.has(tweetId),
      },
    ],
    position: tweetPosition,
  });
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

/** Which of some rows of a bucket all other terms have, too. */
async function amongAll(
  rows: readonly { readonly tweetId: string }[],
  terms: readonly PlacedTerm[],
  bucket: number,
  read: (term: string, partition: number, ids: readonly string[]) => Promise<readonly { tweetId: string }[]>,
): Promise<ReadonlySet<string>> {
  const ids = rows.map(({ tweetId }) => tweetId);
  if (ids.length === 0) return new Set();
  const found = await Promise.all(
    terms.map(async ({ term, places }) => {
      const partitions = places.partitionsOf(bucket, ids);
      const read_ = await Promise.all(partitions.map((partition) => read(term, partition, ids)));
      return new Set(read_.flat().map(({ tweetId }) => tweetId));
    }),
  );
  return new Set(ids.filter((id) => found.every((set) => set.has(id))));
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
    narrow: async (partition, rows) => {
      const found = await amongAll(rows, others, bucketIn(Number(partition)), (term, bucket, among) =>
        load(index.newest.among, { bucket, term, among }),
      );
      return rows.filter(({ tweetId }) => found.has(tweetId));
    },
    newest: newestList(load, index, terms, rarest),
    holds: () => true,
  });
}
