import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { MutationContext } from '../mutation-context';
import { Reads } from '../../kit/cost/reads';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { changeOriginal } from '../tweet/change-original';
import { ORIGINAL_BY_ID } from '../../tweet/tweet-reads';
import { LikeTweetPayload, UnlikeTweetPayload } from './like.payload';
import { VIEWER_READS } from '../../viewer/viewer-reads';
import { setLiked } from './set-liked';

/** Liking and unliking, as the caller's user. */
@Resolver()
export class LikeMutations {
  @Reads(...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => LikeTweetPayload, {
    nullable: true,
    description:
      'Likes a tweet as the caller. Liking a share means its original. Liking again changes nothing. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, or `RATE_LIMITED` for liking and unliking one tweet often within an hour. Writes by a lightweight transaction on `tallies`, and rows of `likes_by_tweet`, `likes_by_user` and `tweet_counts`.',
  })
  likeTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeLike(context, id, true);
  }

  @Reads(...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => UnlikeTweetPayload, {
    nullable: true,
    description:
      'Removes a like of the caller. Unliking again changes nothing. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, or `RATE_LIMITED` for liking and unliking one tweet often within an hour. Writes as `likeTweet` does.',
  })
  unlikeTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeLike(context, id, false);
  }
}

function changeLike(context: MutationContext, id: string, likes: boolean) {
  return changeOriginal(context, id, (tweet, userId) =>
    context.limits.pair('like', tweet.tweetId, () => setLiked(context.writeContext, tweet, userId, likes)),
  );
}
