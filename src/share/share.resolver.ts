import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { Reads } from '../kit/model/reads';
import { isMember, tallies } from '../kit/tally';
import { changeOriginal } from '../tweet/change-original';
import { deletedTweets, tweets } from '../tweet/tweet.table';
import { Tweet, TweetPayload } from '../tweet/tweet.type';
import { users } from '../user/user.table';
import { usersByIdentity } from '../viewer/viewer.table';
import { setShared } from './share';

/** Whether the caller shares a tweet. */
@Resolver(() => Tweet)
export class ShareResolver {
  @Reads(tallies, users, usersByIdentity)
  @FieldResolver(() => Boolean, {
    description:
      "Whether the caller's user shares it; false without a token. Costs one partition of `tallies`, shared with `viewerHasLiked`; a page of them is one request.",
  })
  async viewerHasShared(@Root() { tweetId, sharedTweetId }: Tweet, @Ctx() { load, viewer }: Context) {
    const viewerId = await viewer.userId();
    return viewerId !== null && isMember(load, sharedTweetId ?? tweetId, 'shares', viewerId);
  }
}

/** Sharing, by the caller's user. */
@Resolver()
export class ShareMutations {
  @Reads(tweets, users, deletedTweets, usersByIdentity)
  @Mutation(() => TweetPayload, {
    description:
      'Has the caller share a tweet, by a tweet of its own; of a share, its original. Sharing again changes nothing. Answers with the original. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Costs a lightweight transaction on `tallies` and what `createTweet` costs.',
  })
  shareTweet(@Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeShare(context, id, true);
  }

  @Reads(tweets, users, deletedTweets, usersByIdentity)
  @Mutation(() => TweetPayload, {
    description:
      'Takes the caller’s share of a tweet away. Unsharing again changes nothing. Answers with the original. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Costs a lightweight transaction on `tallies` and what `deleteTweet` costs.',
  })
  unshareTweet(@Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeShare(context, id, false);
  }
}

function changeShare(context: Context, id: string, shares: boolean) {
  return changeOriginal(context, id, (tweet, userId) =>
    context.limits.pair('share', tweet.tweetId, () => setShared(context.writing, tweet, userId, shares)),
  );
}
