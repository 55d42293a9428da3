import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { MutationContext } from '../mutation-context';
import { Reads } from '../../kit/cost/reads';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { changeOriginal } from '../tweet/change-original';
import { ORIGINAL_BY_ID } from '../../tweet/tweet-reads';
import { TweetPayload } from '../../tweet/tweet.type';
import { VIEWER_READS } from '../../viewer/viewer-reads';
import { setShared } from './set-shared';

/** Sharing, by the caller's user. */
@Resolver()
export class ShareMutations {
  @Reads(...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => TweetPayload, {
    description:
      'Has the caller share a tweet, by a tweet of its own; of a share, its original. Sharing again changes nothing. Answers with the original. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Writes by a lightweight transaction on `tallies` and what `createTweet` writes.',
  })
  shareTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeShare(context, id, true);
  }

  @Reads(...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => TweetPayload, {
    description:
      'Takes the caller’s share of a tweet away. Unsharing again changes nothing. Answers with the original. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Writes by a lightweight transaction on `tallies` and what `deleteTweet` writes.',
  })
  unshareTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeShare(context, id, false);
  }
}

function changeShare(context: MutationContext, id: string, shares: boolean) {
  return changeOriginal(context, id, (tweet, userId) =>
    context.limits.pair('share', tweet.tweetId, () => setShared(context.writeContext, tweet, userId, shares)),
  );
}
