import { ArgsType, Field, registerEnumType } from 'type-graphql';
import { PageArgs } from '../kit/relay/page';

/** In which order a list of tweets stands. */
export enum TweetOrder {
  NEWEST = 'NEWEST',
  MOST_LIKED = 'MOST_LIKED',
}
registerEnumType(TweetOrder, {
  name: 'TweetOrder',
  description: 'In which order a list of tweets stands.',
  valuesConfig: {
    NEWEST: {
      description:
        'By `tweetId`, descending, as times do; of tweets whose ids do not grow with time, by month or, of a word or hashtag, by year.',
    },
    MOST_LIKED: {
      description:
        'By `likeCount`, descending, then as `NEWEST`; as the counts are when it is read. Without shares.',
    },
  },
});

/** What fields with an order say of how far the most liked go. */
export const MOST_LIKED_BOUND =
  'The most liked are compared by their likes, as many as the bound below allows; where more have about as many likes, the page is `QUERY_TOO_LARGE`: ask for `NEWEST`, which reads less. A page that is short of tweets and yet has a next one has come to a bound.';

/** The arguments of a list of tweets that has an order. */
@ArgsType()
export class TweetOrderArgs extends PageArgs {
  @Field(() => TweetOrder, { defaultValue: TweetOrder.NEWEST, description: 'The order of the list.' })
  order: TweetOrder;
}
