import { ArgsType, Field, registerEnumType } from 'type-graphql';
import { PageArgs } from '../kit/relay/page';

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
      description:
        'Newest first: by `tweetId`, descending. Ids of imported tweets may not grow with time; such tweets are in the order of their ids, too.',
    },
    MOST_LIKED: {
      description:
        'Most liked first: by `likeCount` as it is shown at the time of reading, descending, then as `NEWEST`. Without shares.',
    },
  },
});

/** The sentence with which the descriptions of fields explain the bound of MOST_LIKED. */
export const MOST_LIKED_BOUND =
  '`MOST_LIKED` compares as many tweets by their likes as the bound below allows. If more tweets have about as many likes, the page fails with `QUERY_TOO_LARGE`: ask for `NEWEST`, which reads less. A page with fewer tweets than asked for that has a next page has come to a bound.';

/** The arguments of a list of tweets that has an order. */
@ArgsType()
export class TweetOrderArgs extends PageArgs {
  @Field(() => TweetOrder, { defaultValue: TweetOrder.NEWEST, description: 'The order of the list.' })
  order: TweetOrder;
}
