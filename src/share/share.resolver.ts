import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { Bounded, ID_BOUNDS } from '../kit/graphql/input-bounds';
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
  shareTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeOriginal(context, id, (tweet, userId) => setShared(context.writing, tweet, userId, true));
  }

  @Reads(tweets, users, deletedTweets, usersByIdentity)
  @Mutation(() => TweetPayload, {
    description:
      'Takes the caller’s share of a tweet away. Unsharing again changes nothing. Answers with the original. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Costs a lightweight transaction on `tallies` and what `deleteTweet` costs.',
  })
  unshareTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeOriginal(context, id, (tweet, userId) => setShared(context.writing, tweet, userId, false));
  }
}
