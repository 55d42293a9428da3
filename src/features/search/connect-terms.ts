import type { Growth } from '../../kit/cost/limit-load';
import { sumOf, type Cost } from '../../kit/cost/cost';
import type { CostArguments, TableBound } from '../../kit/cost/reads';
import type { Load } from '../../kit/reads/load';
import type { Place } from '../../kit/postings/entry';
import type { Tester } from '../../kit/postings/find';
import { postings, segmentEntries, segments } from '../../kit/postings/postings.table';
import { connectItems, showItems } from '../../kit/lists/list';
import { suchThat, type ListContext } from '../../kit/lists/node';
import type { List } from '../../kit/lists/list-parts';
import { DEFAULT_PAGE_SIZE, type ConnectionArguments } from '../../kit/input/page-args';
import { termList, testerOf } from '../../kit/postings/term-list';
import { indexReads, termsCost, termsBase } from '../../kit/postings/term-reads';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { connectMostLiked, mostLikedCost, mostLikedBase } from '../tweet/top-list';
import { type TopSources } from '../tweet/top-reading';
import { TweetOrder } from '../tweet/tweet-order';
import { byOrder, growthOf, TWEETS_POINTED_TO } from '../tweet/tweet-reads';
import { cachedTweets } from '../tweet/tweet-invalidations';
import { tweet } from '../tweet/tweet.node';
import { deletedTweets, tweets } from '../tweet/tweet.table';
import { hashtagTerm } from './terms';
import type { SearchContext, TweetIndexes } from './tweet-index';
import { findTweetTerms, hasHashtag, waitToLook, type Searched, type Worded } from './words';

/** A row of a list of terms, which points to a tweet. */
export interface TermRow {
  readonly tweetId: string;
}

/** The tweets that are asked for. */
export interface AskedTweets extends Pick<Searched, 'terms' | 'isFoundIn' | 'lookIn'> {
  /** Tells the list from others in cursors. */
  readonly name: string;
}

/** The tweets that have some words. */
export function wordList({ words, ...searched }: Searched): AskedTweets {
  return { name: `word ${words.join(' ')}`, ...searched };
}

/** The tweets that have a hashtag, given as it is compared. */
export function hashtagList(name: string): AskedTweets {
  const isFoundIn = (tweet: Worded) => hasHashtag(tweet, name);
  return { name: `hashtag ${name}`, terms: [hashtagTerm(name)], isFoundIn, lookIn: isFoundIn };
}

/** Reads a page of the tweets of a list, for a field that declares `tweetTermReads`. */
export async function connectTweets(
  field: string,
  context: Pick<SearchContext, 'load' | 'indexes' | 'pass' | 'reserve' | 'sight'>,
  asked: AskedTweets,
  order: TweetOrder,
  args: ConnectionArguments,
) {
  const { load, indexes, pass, reserve } = context;
  const terms = asked.terms.length;
  const views = order === TweetOrder.MOST_LIKED ? [indexes.newest, indexes.liked] : [indexes.newest];
  // The changes of an index are read for all callers together, and this one need not wait for them beyond its deadline.
  await Promise.all(views.map((index) => pass.within(index.view(load))));
  if (order === TweetOrder.MOST_LIKED) {
    const max = sumOf([mostLikedCost(args), termsCost(terms)]);
    const from = sumOf([mostLikedBase(args), termsBase(terms)]);
    const prepare = () =>
      Promise.resolve({
        sources: likedSources(load, indexes, asked),
        firstRows: Math.max(
          MIN_FIRST_ROWS,
          FIRST_ROWS_PER_ITEM * (args.first ?? args.last ?? DEFAULT_PAGE_SIZE),
        ),
      });
    return connectMostLiked(context, 'SEARCH', args, prepare, max, growthOf(context, field, from));
  }
  const add = (more: Cost) => reserve({ field, table: postings.name }, more);
  return connectItems(foundTweets(context, asked, { from: termsBase(terms), add }), args);
}

/**
 * Lists tweets, newest first, for one page. A tweet is looked at if the terms alone do not tell that it has the words. The index's view
 * must be up to date.
 */
export function foundTweets(
  context: Pick<SearchContext, 'load' | 'indexes'> & ListContext,
  asked: AskedTweets,
  growth?: Growth,
) {
  const { load, indexes } = context;
  const list = newestList(load, indexes, asked, growth);
  return showItems(
    context,
    list,
    suchThat(tweet, (one) => asked.lookIn(one, load)),
    'tweetId',
    'SEARCH',
  );
}

/**
 * The tweets that have the terms of a list, newest first. Its rows only point to tweets, which `foundTweets` reads. The index's view
 * must be up to date.
 */
function newestList(
  load: Load,
  { newest }: TweetIndexes,
  { name, terms }: Pick<AskedTweets, 'name' | 'terms'>,
  growth?: Growth,
): List<TermRow> {
  const searched = {
    name: `tweets_by_${name}`,
    terms,
    tester: tweetTester(load, terms),
    rowOf: ({ id }: Place) => ({ tweetId: id }),
    placeOf: ({ tweetId }: TermRow) => ({ rank: 0, id: tweetId }),
  };
  return termList(load, newest, searched, growth);
}

/** Looks for terms in tweets. */
function tweetTester(load: Load, terms: readonly string[]): Tester {
  return testerOf(terms, async (places) => {
    const found = await Promise.all(places.map(({ id }) => load(cachedTweets, { tweetId: id })));
    return Promise.all(
      found.map(async (tweet) => {
        if (tweet === null) return null;
        await waitToLook(tweet.content.length, load);
        return findTweetTerms(tweet);
      }),
    );
  });
}

/**
 * How many of the most liked tweets are looked up at first, for each item of a page. Each magnitude has about as many tweets as
 * all above it, and the last one of a page is needed whole.
 */
const FIRST_ROWS_PER_ITEM = 3;
const MIN_FIRST_ROWS = 25;

/** The sources of the tweets of a list, most liked first. */
export function likedSources(load: Load, indexes: TweetIndexes, asked: AskedTweets): TopSources<TermRow> {
  const { name, terms, lookIn } = asked;
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
        (tester ??= tweetTester(load, terms)),
      );
      const rowOf = (place: Place) => ({ magnitude: place.rank, tweetId: place.id });
      return { rows: rows.map(rowOf), end: end && rowOf(end), ...(isCut && { isCut }) };
    },
    newest: (load) => Promise.resolve(newestList(load, indexes, asked)),
    tweetOf: (load, { tweetId }) => load(cachedTweets, { tweetId }),
    isVisible: (tweet) => lookIn(tweet, load),
    sortedPerItem: 2,
    isLong: (load, limit) => indexes.newest.hasMoreThan(load, terms, limit),
  };
}

/** The reads of a page of the tweets with some terms without reserving more, given the number of terms. */
export function tweetTermReads(termsIn: (args: CostArguments['args']) => number): TableBound[] {
  return byOrder(
    [...indexReads(tweets, termsIn, termsBase), ...TWEETS_POINTED_TO, ...SIGHT_READS],
    [postings, segments, segmentEntries, deletedTweets],
    (args) => sumOf([mostLikedBase(args), termsBase(termsIn({ ...args }))]),
  );
}
