import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { Reads } from '../../kit/cost/reads';
import { ENGAGEMENT_READ, isLikedBy } from '../tweet/engagement';
import { Tweet } from '../tweet/tweet.type';
import { answerFor } from '../viewer/viewer';
import { VIEWER_READS } from '../viewer/viewer-reads';

/** Whether the caller's user likes a tweet. */
@Resolver(() => Tweet)
export class LikeResolver {
  @Reads(ENGAGEMENT_READ, ...VIEWER_READS)
  @FieldResolver(() => Boolean, {
    description: "Whether the caller's user likes the tweet; false without a token.",
  })
  viewerHasLiked(@Root() { tweetId, sharedTweetId }: Tweet, @Ctx() { load, viewer }: Context) {
    return answerFor(viewer, false, (viewerId) => isLikedBy(load, viewerId, sharedTweetId ?? tweetId));
  }
}
