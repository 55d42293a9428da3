import { Field, ObjectType, Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { Tweet } from '../../features/tweet/tweet.type';
import { ChangedTweet } from '../tweet/tweet.payload';
import type { MutationContext } from '../mutation-context';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { relations } from '../../features/follow/follow.table';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { nodeNotFound } from '../../kit/graphql/global-id';
import type { StoredTweet } from '../../features/tweet/tweet.table';
import { changeOriginal } from '../tweet/change-original';
import { ORIGINAL_BY_ID } from '../../features/tweet/tweet-reads';
import { VIEWER_READS } from '../../features/viewer/viewer-reads';
import { isSharedBy, setShared } from './set-shared';

/** The result of sharing. */
@ObjectType({ simpleResolvers: true, description: 'The result of `shareTweet`.' })
class ShareTweetPayload extends ChangedTweet {
  @Field(() => Tweet, {
    description: "The caller's share: a tweet of its own, whose `sharedTweet` is `tweet`.",
  })
  share: Tweet;
}

/** The result of unsharing. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unshareTweet`.' })
class UnshareTweetPayload extends ChangedTweet {}

/** Sharing and unsharing tweets, as the caller's user. */
@Resolver()
export class ShareMutations {
  @Reads(...ORIGINAL_BY_ID, rowsOf(relations), ...VIEWER_READS)
  @Mutation(() => ShareTweetPayload, {
    nullable: true,
    description:
      'Shares a tweet as the caller; of a share, its original. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, `FORBIDDEN` with the reason `BLOCKED`, or `RATE_LIMITED` for many posts, or many changes to one tweet, within an hour, or many bytes within a day.',
  })
  async shareTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    const { tweet, share } = await changeShare(context, id, true);
    // A membership always names its share.
    if (share === null) throw nodeNotFound('Tweet', tweet.tweetId);
    return { tweet, share };
  }

  @Reads(...ORIGINAL_BY_ID, rowsOf(relations), ...VIEWER_READS)
  @Mutation(() => UnshareTweetPayload, {
    nullable: true,
    description:
      "Removes the caller's share of a tweet. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, or `RATE_LIMITED` for many deletions, or many changes to one tweet, within an hour.",
  })
  unshareTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeShare(context, id, false);
  }
}

async function changeShare(context: MutationContext, id: string, shares: boolean) {
  const { writeServices } = context;
  const answer: { share: StoredTweet | null } = { share: null };
  const act = (original: StoredTweet, userId: string) =>
    context.limits.pair('share', original.tweetId, async () => {
      const { changed, share } = await writeServices.quotas.spend(
        userId,
        shares ? { posts: 1, bytes: Buffer.byteLength(original.content) } : { deletions: 1 },
        () => setShared(writeServices, original, userId, shares),
        (sharing) => sharing.changed,
        async () => (await isSharedBy(writeServices, original.tweetId, userId)) === shares,
      );
      answer.share = share;
      return changed;
    });
  const { tweet } = await changeOriginal(context, id, act, { isTakenBack: !shares });
  return { tweet, share: answer.share };
}
