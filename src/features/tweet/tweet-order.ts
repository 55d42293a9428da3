import { ArgsType, Field, registerEnumType } from 'type-graphql';
import { PageArgs } from '../../kit/input/page-args';

/** The order of a list of tweets. */
export enum TweetOrder {
  NEWEST = 'NEWEST',
  MOST_LIKED = 'MOST_LIKED',
}
registerEnumType(TweetOrder, {
  name: 'TweetOrder',
  description: 'The order of a list of tweets.',
  valuesConfig: {
    NEWEST: {
      description: 'Newest first: by `tweetId`, descending.',
    },
    MOST_LIKED: {
      description:
        'Most liked first: by `likeCount` at the time of reading, then as `NEWEST`; without shares. A page may be short or empty and yet have a next one, and fails with `QUERY_TOO_LARGE` where too many tweets have almost as many likes: then ask for `NEWEST`.',
    },
  },
});

/** The arguments of a list of tweets that has an order. */
@ArgsType()
export class TweetOrderArgs extends PageArgs {
  @Field(() => TweetOrder, { defaultValue: TweetOrder.NEWEST, description: 'The order of the list.' })
  order: TweetOrder;
}
