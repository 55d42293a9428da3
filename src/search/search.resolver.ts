import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { Bounded } from '../kit/graphql/input-bounds';
import { Reads } from '../kit/model/reads';
import { buckets } from '../kit/relay/buckets';
import { connectNodes } from '../kit/relay/connection';
import { ForwardArgs } from '../kit/relay/page';
import { MOST_LIKED_BOUND, TweetOrder } from '../tweet/tweet-order';
import { deletedTweets, tweetCounts, tweets } from '../tweet/tweet.table';
import { TweetConnection } from '../tweet/tweet.type';
import { termList, topTermList } from './term-list';
import { words as index, topTweetsByWord, tweetsByWord } from './term.table';
import { MAX_WORDS, searchedWords } from './words';

/** Tweets by their words. */
@Resolver()
export class SearchResolver {
  @Reads(tweetsByWord, topTweetsByWord, tweets, tweetCounts, deletedTweets, buckets)
  @Query(() => TweetConnection, {
    description:
      'The tweets that have all of some words: of any script, whatever their case and accents, hashtags and mentions with or without sign; addresses of the web are no words. Costs one partition of `buckets` for each word (two for the most liked) and, per year walked, one of `tweets_by_word` or, for the most liked, of `top_tweets_by_word` for each word; of words that are more frequent than the rarest, one or two of `tweets_by_word` more (of a year in which more than 20,000 tweets have one 8, in one request); and one of `tweets` and, for the most liked, of `tweet_counts` for each tweet. A page of the newest reads at most 5,000 rows of a year: one that is short of tweets and yet has a next one ends there. ' +
      MOST_LIKED_BOUND,
  })
  async searchTweets(
    @Bounded({ maxItems: MAX_WORDS, maxLength: 100 })
    @Arg('words', () => [String], { description: 'The words, at least one.' })
    words: string[],
    @Arg('order', () => TweetOrder, {
      defaultValue: TweetOrder.MOST_LIKED,
      description: 'The order of the list.',
    })
    order: TweetOrder,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() { load }: Context,
  ) {
    const terms = searchedWords(words);
    return order === TweetOrder.NEWEST
      ? connectNodes(await termList(load, index, terms), args)
      : connectNodes(await topTermList(load, index, terms), args);
  }
}
