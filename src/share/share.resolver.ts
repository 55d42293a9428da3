import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { Reads, rowsOf, sharedByObject } from '../kit/cost/reads';
import { Bounded, ID_BOUNDS } from '../kit/graphql/input-bounds';
import { isMember, tallies } from '../kit/tally';
import { changeOriginal } from '../write/tweet/change-original';
import { ORIGINAL_BY_ID } from '../tweet/tweet-reads';
import { Tweet, TweetPayload } from '../tweet/tweet.type';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { setShared } from '../write/share/set-shared';

/** Whether the caller shares a tweet. */
@Resolver(() => Tweet)
export class ShareResolver {
  @Reads(sharedByObject(rowsOf(tallies)), ...VIEWER_READS)
  @FieldResolver(() => Boolean, {
    description: "Whether the caller's user shares it; false without a token. A page of them is one request.",
  })
  async viewerHasShared(@Root() { tweetId, sharedTweetId }: Tweet, @Ctx() { load, viewer }: Context) {
    const viewerId = await viewer.userId();
    return viewerId !== null && isMember(load, sharedTweetId ?? tweetId, 'shares', viewerId);
  }
}

/** Sharing, by the caller's user. */
@Resolver()
export class ShareMutations {
  @Reads(...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => TweetPayload, {
    description:
      'Has the caller share a tweet, by a tweet of its own; of a share, its original. Sharing again changes nothing. Answers with the original. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Writes by a lightweight transaction on `tallies` and what `createTweet` writes.',
  })
  shareTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeShare(context, id, true);
  }

  @Reads(...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => TweetPayload, {
    description:
      'Takes the caller’s share of a tweet away. Unsharing again changes nothing. Answers with the original. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Writes by a lightweight transaction on `tallies` and what `deleteTweet` writes.',
  })
  unshareTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeShare(context, id, false);
  }
}

function changeShare(context: Context, id: string, shares: boolean) {
  return changeOriginal(context, id, (tweet, userId) =>
    context.limits.pair('share', tweet.tweetId, () => setShared(context.writing, tweet, userId, shares)),
  );
}
