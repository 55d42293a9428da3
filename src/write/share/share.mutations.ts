import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { MutationContext } from '../mutation-context';
import { Reads } from '../../kit/cost/reads';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { changeOriginal } from '../tweet/change-original';
import { ORIGINAL_BY_ID } from '../../tweet/tweet-reads';
import { TweetPayload } from '../../tweet/tweet.type';
import { VIEWER_READS } from '../../viewer/viewer-reads';
import { setShared } from './set-shared';

/** Sharing and unsharing tweets, as the caller's user. */
@Resolver()
export class ShareMutations {
  @Reads(...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => TweetPayload, {
    description:
      'Shares a tweet as the caller: a new tweet of the caller that points to it. Sharing a share means its original. Sharing again changes nothing. Returns the original. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, or `RATE_LIMITED` for sharing and unsharing one tweet often within an hour. Writes by a lightweight transaction on `tallies`, and what `createTweet` writes.',
  })
  shareTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeShare(context, id, true);
  }

  @Reads(...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => TweetPayload, {
    description:
      'Removes the caller’s share of a tweet. Unsharing again changes nothing. Returns the original. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, or `RATE_LIMITED` for sharing and unsharing one tweet often within an hour. Writes by a lightweight transaction on `tallies`, and what `deleteTweet` writes.',
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
