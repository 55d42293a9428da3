import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import { CostExample, Reads } from '../../kit/cost/reads';
import { Bounded } from '../../kit/input/input-bounds';
import { ForwardArgs } from '../../kit/input/page-args';
import { TweetOrder } from '../tweet/tweet-order';
import { TweetConnection } from '../tweet/tweet.node';
import { connectTweets, tweetTermReads, wordList } from './connect-terms';
import type { SearchContext } from './tweet-index';
import { MAX_WORDS, searchedWords } from './words';

/** Search for tweets by words. */
@Resolver()
export class SearchResolver {
  @Reads(...tweetTermReads(({ words }) => searchedWords(words as string[]).terms.length))
  @CostExample('two words', { words: ['morning', 'light'] })
  @Query(() => TweetConnection, {
    description:
      'The tweets that have all of the given words, in any script; case and accents do not matter, and hashtags and mentions are found with or without their sign. A page may be short or empty and yet have a next one.',
  })
  async searchTweets(
    @Bounded({ maxItems: MAX_WORDS, maxLength: 100 })
    @Arg('words', () => [String], {
      description:
        'The words, at least one; an item with several words stands for each of them. All items together may have 32 different words.',
    })
    words: string[],
    @Arg('order', () => TweetOrder, {
      defaultValue: TweetOrder.MOST_LIKED,
      description: 'The order of the list.',
    })
    order: TweetOrder,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() context: SearchContext,
  ) {
    return connectTweets('Query.searchTweets', context, wordList(searchedWords(words)), order, args);
  }
}
