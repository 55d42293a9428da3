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
    NEWEST: { description: 'By `tweetId`, descending.' },
    MOST_LIKED: {
      description:
        'By `likeCount`, descending, then by `tweetId`, descending; as the counts are when it is read. Without shares.',
    },
  },
});

/** The arguments of a list of tweets that has an order. */
@ArgsType()
export class TweetOrderArgs extends PageArgs {
  @Field(() => TweetOrder, { defaultValue: TweetOrder.NEWEST, description: 'The order of the list.' })
  order: TweetOrder;
}
