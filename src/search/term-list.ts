import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import { buckets, monthsOf } from '../kit/relay/buckets';
import type { List } from '../kit/relay/connection';
import { tweets } from '../tweet/tweet.table';
import { topList, type TopRow } from '../tweet/top-list';
import { shownList, tweetPosition } from '../tweet/tweet-list';
import { ownerOf } from './term-rows';
import type { TermIndex } from './term.table';

type TweetRow = Row<typeof tweets>;

/** The tweets that have all of some terms, newest first; none where one of the terms is nowhere. */
export async function termList(
  load: Load,
  index: TermIndex,
  terms: readonly string[],
): Promise<List<TweetRow>> {
  const [driver = '', ...others] = await byRarity(load, index, terms);
  const missing = new Set<string>();
  return shownList(load, {
    name: `${index.newest.name} ${terms.join(' ')}`,
    buckets: () => monthsOf(load, [{ list: index.newest.name, owner: ownerOf(driver) }]),
    sources: (bucket) => [
      {
        async read(slice) {
          const rows = await load(index.newest.page, { bucket, term: driver, ...slice });
          const found = await amongAll(rows, others, (term, among) =>
            load(index.newest.among, { bucket, term, among }),
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

/** Which of some rows all other terms have, too. */
export async function amongAll(
  rows: readonly { readonly tweetId: string }[],
  terms: readonly string[],
  read: (term: string, tweetIds: readonly string[]) => Promise<readonly { readonly tweetId: string }[]>,
): Promise<ReadonlySet<string>> {
  const ids = rows.map(({ tweetId }) => tweetId);
  if (ids.length === 0) return new Set();
  const found = await Promise.all(
    terms.map(async (term) => new Set((await read(term, ids)).map(({ tweetId }) => tweetId))),
  );
  return new Set(ids.filter((id) => found.every((set) => set.has(id))));
}

/** Of how many tweets of a word its number is estimated. */
const SAMPLE = 50;
const MOST_MONTHS = 5000;
/** How far ids of a month are apart: 2^22 a millisecond (Twitter's snowflakes). */
const IDS_OF_A_MONTH = 30 * 86_400_000 * 2 ** 22;

/** Terms, the rarest first, told by the months in which they were used and how close their last tweets lie together. */
export async function byRarity(
  load: Load,
  { newest }: TermIndex,
  terms: readonly string[],
): Promise<string[]> {
  if (terms.length < 2) return [...terms];
  const estimated = await Promise.all(
    terms.map(async (term) => {
      const months = await load(buckets.page, {
        owner: ownerOf(term),
        list: newest.name,
        limit: MOST_MONTHS,
      });
      const bucket = months[0]?.bucket;
      if (bucket === undefined) return { term, number: 0 };
      const sample = await load(newest.page, { bucket, term, limit: SAMPLE });
      const [first, last] = [sample[0], sample.at(-1)];
      const span = first && last ? Number(BigInt(first.tweetId) - BigInt(last.tweetId)) : 0;
      const aMonth = sample.length < SAMPLE ? sample.length : (SAMPLE * IDS_OF_A_MONTH) / Math.max(1, span);
      return { term, number: months.length * aMonth };
    }),
  );
  return estimated.sort((a, b) => a.number - b.number).map(({ term }) => term);
}

/** The tweets that have all of some terms, most liked first. */
export async function topTermList(load: Load, index: TermIndex, terms: readonly string[]) {
  const newest = await termList(load, index, terms);
  const [driver = '', ...others] = await byRarity(load, index, terms);
  return topList(load, {
    name: `${index.top.name} ${terms.join(' ')}`,
    owners: async () =>
      (await monthsOf(load, [{ list: index.top.name, owner: ownerOf(driver) }])).map(String),
    top: (year, slice) => load(index.top.page, { bucket: Number(year), term: driver, ...slice }),
    narrow: async (year, rows) => {
      const byMagnitude = new Map<number, TopRow[]>();
      for (const row of rows)
        byMagnitude.set(row.magnitude, [...(byMagnitude.get(row.magnitude) ?? []), row]);
      const found = await Promise.all(
        [...byMagnitude].map(([magnitude, some]) =>
          amongAll(some, others, (term, among) =>
            load(index.top.among, { bucket: Number(year), term, magnitude, among }),
          ),
        ),
      );
      return rows.filter(({ tweetId }) => found.some((ids) => ids.has(tweetId)));
    },
    newest,
    holds: () => true,
  });
}
