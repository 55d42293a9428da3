import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { followingByUser, pulledByUser } from '../follow/follow.table';
import { forbidden } from '../kit/errors';
import { Reads } from '../kit/model/reads';
import { buckets } from '../kit/relay/buckets';
import { connectNodes } from '../kit/relay/connection';
import { topList } from '../tweet/top-list';
import { MOST_LIKED_BOUND, TweetOrder, TweetOrderArgs } from '../tweet/tweet-order';
import { topTweetsByAuthor, deletedTweets, tweetCounts, tweets, tweetsByAuthor } from '../tweet/tweet.table';
import { TweetConnection } from '../tweet/tweet.type';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { usersByIdentity } from '../viewer/viewer.table';
import { followedBy, timelineOf } from './timeline';
import { timelinesByUser } from './timeline.table';

/** Home timelines. */
@Resolver(() => User)
export class TimelineResolver {
  @Reads(
    timelinesByUser,
    tweetsByAuthor,
    pulledByUser,
    followingByUser,
    topTweetsByAuthor,
    tweets,
    tweetCounts,
    users,
    deletedTweets,
    buckets,
    usersByIdentity,
  )
  @FieldResolver(() => TweetConnection, {
    nullable: true,
    description:
      'What the accounts that the user follows posted. For that user and for services; `FORBIDDEN` to others. Costs one partition each of `pulled_by_user` and `buckets` and, per month walked, one of `timelines_by_user`, or up to 38 where the user follows more than 150; for each followed author above the push limit one of `buckets` and one of `tweets_by_author` a month more. At most 64 months a page. The most liked cost a partition of `top_tweets_by_author` for each followed author, at most 5,000, and, for each tweet whose likes are of the same order of magnitude as those of the page, one of `tweet_counts`. ' +
      MOST_LIKED_BOUND,
  })
  async timeline(
    @Root() { userId }: User,
    @Args(() => TweetOrderArgs) args: TweetOrderArgs,
    @Ctx() { load, viewer, timelineSince }: Context,
  ) {
    if (viewer.caller.kind !== 'service' && (await viewer.userId()) !== userId)
      throw forbidden('A timeline is shown to its user only.');
    const newest = await timelineOf(load, userId, timelineSince);
    if (args.order === TweetOrder.NEWEST) return connectNodes(newest, args);
    const most = topList(load, {
      name: `${topTweetsByAuthor.name} of whom ${userId} follows`,
      owners: () => followedBy(load, userId),
      top: (authorId, slice) => load(topTweetsByAuthor.page, { authorId, ...slice }),
      newest: () => Promise.resolve(newest),
      holds: ({ createdAt }) => timelineSince === null || createdAt >= timelineSince,
    });
    return connectNodes(most, args);
  }
}
