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
  'For `MOST_LIKED` the server compares tweets by their numbers of likes, at most as many tweets as the bound below allows. If a page has fewer tweets than you asked for and there is a next page, it has reached the bound: go on with its `endCursor`. Only tweets between the same two powers of two from 128 likes on (such as 128 to 255) must be compared together: if there are too many of them, the page fails with `QUERY_TOO_LARGE`. Then ask for `NEWEST`, which reads less.';

/** The arguments of a list of tweets that has an order. */
@ArgsType()
export class TweetOrderArgs extends PageArgs {
  @Field(() => TweetOrder, { defaultValue: TweetOrder.NEWEST, description: 'The order of the list.' })
  order: TweetOrder;
}
