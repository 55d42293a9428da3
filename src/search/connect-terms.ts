import { badInput, tooLarge } from '../kit/base/errors';
import { isId } from '../kit/base/ids';
import { FREE, sumOf, unitNames, type Cost } from '../kit/cost/cost';
import { limitLoad } from '../kit/cost/limit-load';
import { together, upTo, type CostArguments, type TableBound } from '../kit/cost/reads';
import type { Load } from '../kit/data/load';
import type { Place } from '../kit/postings/entry';
import { MAX_POSTINGS, MAX_TESTED_OF_PAGE, type Tester } from '../kit/postings/find';
import { postings, segmentEntries, segments } from '../kit/postings/postings.table';
import { connect } from '../kit/relay/connection';
import { DEFAULT_BOUNDS, type List } from '../kit/relay/list';
import { DEFAULT_PAGE_SIZE, pageOf, type ConnectionArguments } from '../kit/relay/page';
import { connectMostLiked, mostLikedCost, type TopSources } from '../tweet/top-list';
import { pointedTweets } from '../tweet/tweet-list';
import { TweetOrder } from '../tweet/tweet-order';
import { byOrder, TWEETS_POINTED_TO } from '../tweet/tweet-reads';
import { shownTweets } from '../tweet/recent-deletions';
import { deletedTweets, tweets } from '../tweet/tweet.table';
import { listedTweet } from '../tweet/visible';
import { termsOf, type SearchContext, type TweetIndexes } from './tweet-index';

/** What a row of a list of terms points to. */
export interface TermRow {
  readonly tweetId: string;
}

/** Reads a page of the tweets that have all of the given terms. `name` tells the list from others in cursors. */
export async function connectTerms(
  { load, indexes, pass }: Pick<SearchContext, 'load' | 'indexes' | 'pass'>,
  name: string,
  terms: readonly string[],
  order: TweetOrder,
  args: ConnectionArguments,
) {
  const views = order === TweetOrder.MOST_LIKED ? [indexes.newest, indexes.liked] : [indexes.newest];
  // What has changed is read for all callers together, which this one need not wait for beyond its deadline.
  await Promise.all(views.map((index) => pass.within(index.view(load))));
  if (order === TweetOrder.MOST_LIKED) {
    const max = sumOf([mostLikedCost(args), termsCost(terms.length)]);
    const prepare = () =>
      Promise.resolve({
        sources: likedSources(indexes, name, terms),
        firstRows: Math.max(
          MIN_FIRST_ROWS,
          FIRST_ROWS_PER_ITEM * (args.first ?? args.last ?? DEFAULT_PAGE_SIZE),
        ),
      });
    return connectMostLiked(load, args, prepare, max);
  }
  const list = newestList(load, indexes, name, terms);
  const { shown, tweetOf } = pointedTweets(load);
  return connect(
    { ...list, shown },
    pageOf(list.name, args),
    (row, cursor) => ({ cursor, node: tweetOf(row) }),
    tweetOf,
  );
}

/** The tweets that have all of the given terms, newest first. Its rows only point to tweets. The index's view must be up to date. */
export function newestList(
  given: Load,
  { newest }: TweetIndexes,
  name: string,
  terms: readonly string[],
): List<TermRow> {
  const load = limitLoad(given, termsCost(terms.length), (max, unit) =>
    tooLarge(
      `A page of ${terms.length} words may read ${max[unit]} ${unitNames[unit]}, but this one would read more: give fewer words.`,
    ),
  );
  const tester = testerOf(given, terms);
  return {
    name: `tweets_by_${name}`,
    bounds: { ...DEFAULT_BOUNDS, continuations: 8 },
    position: ({ tweetId }) => [tweetId],
    parts: ({ from }) =>
      Promise.resolve([
        {
          // Earlier versions had a bucket for each year.
          start: { bucket: 0, key: from?.key ?? [] },
          sources: [
            {
              async read({ after, reversed, limit }) {
                const slice = { after: placeIn(after), reversed, limit };
                const { rows, end, isCut } = await newest.find(load, terms, slice, tester);
                return {
                  rows: rows.map(({ id }) => ({ tweetId: id })),
                  end: end && [end.id],
                  ...(isCut && { isCut }),
                };
              },
            },
          ],
        },
      ]),
  };
}

function placeIn(key: readonly unknown[] | undefined): Place | undefined {
  if (key === undefined) return undefined;
  const [id] = key;
  if (key.length !== 1 || typeof id !== 'string' || !isId(id))
    throw badInput('A cursor must be one that this list returned.');
  return { rank: 0, id };
}

/** Looks for terms in tweets. */
function testerOf(load: Load, terms: readonly string[]): Tester {
  return {
    left: MAX_TESTED_OF_PAGE,
    async test(places) {
      const found = await Promise.all(places.map(({ id }) => load(shownTweets, { tweetId: id })));
      return found.map((tweet) => {
        if (tweet === null) return false;
        const has = new Set(termsOf(tweet));
        return terms.every((term) => has.has(term));
      });
    },
  };
}

/**
 * How many of the most liked tweets are looked up at first, for each item of a page. Each magnitude has about as many tweets as
 * all above it, and the last one of a page is needed whole.
 */
const FIRST_ROWS_PER_ITEM = 3;
const MIN_FIRST_ROWS = 25;

/** The sources of the tweets that have all of the given terms, most liked first. */
export function likedSources(
  indexes: TweetIndexes,
  name: string,
  terms: readonly string[],
): TopSources<TermRow> {
  let tester: Tester | undefined;
  return {
    name: `top_tweets_by_${name}`,
    owners: () => Promise.resolve(['']),
    async top(load, _owner, { after: [rank, id], reversed, limit }) {
      const slice = { after: { rank, id }, reversed, limit };
      const { rows, end, isCut } = await indexes.liked.find(
        load,
        terms,
        slice,
        (tester ??= testerOf(load, terms)),
      );
      const rowOf = (place: Place) => ({ magnitude: place.rank, tweetId: place.id });
      return { rows: rows.map(rowOf), end: end && rowOf(end), ...(isCut && { isCut }) };
    },
    newest: (load) => Promise.resolve(newestList(load, indexes, name, terms)),
    tweetOf: (load, { tweetId }) => listedTweet(load, tweetId),
    sortedPerItem: 2,
    isLong: (limit) => (indexes.newest.countKept(terms, limit + 1) ?? 0) > limit,
  };
}

/** How many times the postings of a term are read at most. */
const READS_PER_TERM = 16;
/** How many chunks of segments are read at most, besides those of entries that are tested. */
const MAX_CHUNKS_READ = 400;

/** How much a page of NEWEST reads of the index at most. */
function termsCost(terms: number): Cost {
  const tested = terms > 1 ? MAX_TESTED_OF_PAGE : 0;
  const reads = 1 + READS_PER_TERM * terms + MAX_CHUNKS_READ + tested;
  return { reads, rows: reads + 2 * MAX_POSTINGS };
}

/** How much a page of the newest tweets with some terms reads of the index at most. */
export function newestTermsReads(termsIn: (args: CostArguments['args']) => number): TableBound[] {
  const unlessNone = (args: CostArguments['args'], cost: (terms: number) => Cost) => {
    const terms = termsIn(args);
    return terms === 0 ? FREE : cost(terms);
  };
  return [
    together(
      upTo(postings, ({ args }) => unlessNone(args, termsCost)),
      segments,
      segmentEntries,
    ),
    upTo(tweets, ({ args }) =>
      unlessNone(args, (terms) =>
        terms > 1 ? { reads: MAX_TESTED_OF_PAGE, rows: MAX_TESTED_OF_PAGE } : FREE,
      ),
    ),
  ];
}

/** What a page of the tweets with some terms reads, given the number of terms. */
export function termReads(termsIn: (args: CostArguments['args']) => number): TableBound[] {
  return byOrder(
    [
      together(
        upTo(postings, ({ args }) => termsCost(termsIn(args))),
        segments,
        segmentEntries,
      ),
      upTo(tweets, ({ args }) =>
        termsIn(args) > 1 ? { reads: MAX_TESTED_OF_PAGE, rows: MAX_TESTED_OF_PAGE } : FREE,
      ),
      ...TWEETS_POINTED_TO,
    ],
    [postings, segments, segmentEntries, deletedTweets],
    (args) => sumOf([mostLikedCost(args), termsCost(termsIn({ ...args }))]),
  );
}
