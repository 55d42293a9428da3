import { FREE } from '../kit/cost/cost';
import { upTo, type CostArguments, type TableBound } from '../kit/cost/reads';
import type { Load } from '../kit/data/load';
import { buckets } from '../kit/data/buckets';
import { connect } from '../kit/relay/connection';
import { pageOf, type ConnectionArguments } from '../kit/relay/page';
import { connectMostLiked } from '../tweet/top-list';
import { pointedTweets } from '../tweet/tweet-list';
import { TweetOrder } from '../tweet/tweet-order';
import { byOrder, TWEETS_POINTED_TO } from '../tweet/tweet-reads';
import { newestTermsCost, termList } from './term-list';
import { mostLikedOfTerms } from './top-term-list';
import type { TermIndex } from './term.table';

/** Reads a page of the tweets that have all of the given terms. */
export async function connectTerms(
  load: Load,
  index: TermIndex,
  terms: readonly string[],
  order: TweetOrder,
  args: ConnectionArguments,
) {
  if (order === TweetOrder.MOST_LIKED)
    return connectMostLiked(load, args, (limited) => mostLikedOfTerms(limited, index, terms));
  const list = await termList(load, index, terms);
  const { shown, tweetOf } = pointedTweets(load);
  return connect(
    { ...list, shown },
    pageOf(list.name, args),
    (row, cursor) => ({ cursor, node: tweetOf(row) }),
    tweetOf,
  );
}

/** What such a page reads, given the number of terms. */
export function termReads(index: TermIndex, termsIn: (args: CostArguments['args']) => number): TableBound[] {
  return byOrder(
    [
      upTo(index.newest, ({ args }) => newestTermsCost(termsIn(args))),
      upTo(buckets, () => FREE),
      ...TWEETS_POINTED_TO,
    ],
    index.top,
  );
}
