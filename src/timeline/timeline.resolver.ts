import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { forbidden } from '../kit/errors';
import { connectTweets } from '../tweet/tweet-list';
import { TweetOrderArgs } from '../tweet/tweet-order';
import { TweetConnection } from '../tweet/tweet.type';
import { User } from '../user/user.type';
import { timelineOf } from './timeline';

/** Home timelines. */
@Resolver(() => User)
export class TimelineResolver {
  @FieldResolver(() => TweetConnection, {
    nullable: true,
    description:
      'What the accounts that the user follows posted. For that user and for services; `FORBIDDEN` to others. Costs one partition each of `pulled_by_user` and `buckets` and, per month walked, one of `timelines_by_user`; for each followed author above the push limit one of `buckets` and one of `tweets_by_author` a month more. At most 64 months a page.',
  })
  async timeline(
    @Root() { userId }: User,
    @Args(() => TweetOrderArgs) args: TweetOrderArgs,
    @Ctx() { load, viewer, timelineSince }: Context,
  ) {
    if (viewer.caller.kind !== 'service' && (await viewer.userId()) !== userId)
      throw forbidden('A timeline is shown to its user only.');
    return connectTweets(await timelineOf(load, userId, timelineSince), args);
  }
}
