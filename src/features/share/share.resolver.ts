import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { Reads } from '../../kit/cost/reads';
import { ENGAGEMENT_READ, isSharedBy } from '../tweet/engagement';
import { Tweet } from '../tweet/tweet.type';
import { answerFor } from '../viewer/viewer';
import { VIEWER_READS } from '../viewer/viewer-reads';

/** Whether the caller's user shares a tweet. */
@Resolver(() => Tweet)
export class ShareResolver {
  @Reads(ENGAGEMENT_READ, ...VIEWER_READS)
  @FieldResolver(() => Boolean, {
    description: "Whether the caller's user shares the tweet; false without a token.",
  })
  viewerHasShared(@Root() { tweetId, sharedTweetId }: Tweet, @Ctx() { load, viewer }: Context) {
    return answerFor(viewer, false, (viewerId) => isSharedBy(load, viewerId, sharedTweetId ?? tweetId));
  }
}
