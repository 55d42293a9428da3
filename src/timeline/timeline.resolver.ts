import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import type { Row } from '../kit/cassandra/table';
import { forbidden } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import { sumOf } from '../kit/cost/cost';
import { Reads } from '../kit/cost/reads';
import { connectNodes } from '../kit/relay/connection';
import { connectMostLiked, mostLikedCost, topOfAuthor } from '../tweet/top-list';
import { visibleList } from '../tweet/tweet-list';
import { byOrder } from '../tweet/tweet-reads';
import { TweetOrder, TweetOrderArgs } from '../tweet/tweet-order';
import { topTweetsByAuthor, type tweets } from '../tweet/tweet.table';
import { TweetConnection } from '../tweet/tweet.type';
import { User } from '../user/user.type';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { followedBy, timelineOf } from './timeline';
import { MOST_LIKED_SOURCES, MOST_LIKED_TABLES, TIMELINE_READS } from './timeline-reads';

/** Home timelines. */
@Resolver(() => User)
export class TimelineResolver {
  @Reads(
    ...byOrder(TIMELINE_READS, MOST_LIKED_TABLES, (args) => sumOf([mostLikedCost(args), MOST_LIKED_SOURCES])),
    ...VIEWER_READS,
  )
  @FieldResolver(() => TweetConnection, {
    nullable: true,
    description:
      'What the accounts that the user follows have posted. Only the user and services can read it; others get `FORBIDDEN`.',
  })
  async timeline(
    @Root() { userId }: User,
    @Args(() => TweetOrderArgs) args: TweetOrderArgs,
    @Ctx() { load, viewer, timelineSince, mergedTimelines }: Context,
  ) {
    if (viewer.caller.kind !== 'service' && (await viewer.userId()) !== userId)
      throw forbidden('Only its user and services can read a timeline.');
    const newest = (limited: Load) => timelineOf(limited, userId, timelineSince, mergedTimelines);
    if (args.order === TweetOrder.NEWEST) return connectNodes(visibleList(load, newest(load)), args);
    const prepare = async () => ({
      sources: {
        name: `${topTweetsByAuthor.name} of whom ${userId} follows`,
        owners: (load: Load) => followedBy(load, userId),
        top: topOfAuthor,
        newest: (load: Load) => Promise.resolve(newest(load)),
        tweetOf: async (_load: Load, tweet: Row<typeof tweets>) => tweet,
        isVisible: ({ createdAt }: Row<typeof tweets>) =>
          timelineSince === null || createdAt >= timelineSince,
      },
    });
    return connectMostLiked(load, args, prepare, sumOf([mostLikedCost(args), MOST_LIKED_SOURCES]));
  }
}
