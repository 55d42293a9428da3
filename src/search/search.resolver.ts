import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { CostExample, Reads } from '../kit/cost/reads';
import { Bounded } from '../kit/input/input-bounds';
import { ForwardArgs } from '../kit/relay/page';
import { MOST_LIKED_BOUND, TweetOrder } from '../tweet/tweet-order';
import { TweetConnection } from '../tweet/tweet.type';
import { connectTerms, termReads } from './connect-terms';
import { words as index } from './term.table';
import { MAX_WORDS, searchedWords } from './words';

/** Search for tweets by words. */
@Resolver()
export class SearchResolver {
  @Reads(...termReads(index, ({ words }) => searchedWords(words as string[]).length))
  @CostExample('two words', { words: ['morning', 'light'] })
  @Query(() => TweetConnection, {
    description: `The tweets that have all of the given words. Words can be of any script; case and accents do not matter. Hashtags and mentions are found with or without their sign; web addresses are not searched. The server reads the rarest word year by year and looks up the others there. A word that more than 20,000 tweets of a year have takes 8 partitions for that year. ${MOST_LIKED_BOUND}`,
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
    return connectTerms(load, index, searchedWords(words), order, args);
  }
}
