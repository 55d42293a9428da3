import { ObjectType, Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { ChangedTweet } from '../tweet/tweet.payload';
import type { MutationContext } from '../mutation-context';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { relations } from '../../features/follow/follow.table';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { tweetCounts, type StoredTweet } from '../../features/tweet/tweet.table';
import { changeOriginal } from '../tweet/change-original';
import { ORIGINAL_BY_ID } from '../../features/tweet/tweet-reads';
import { VIEWER_READS } from '../../features/viewer/viewer-reads';
import { knownAnswer, type KnownAnswer } from '../../kit/reads/load';
import { isLiked, setLiked } from './set-liked';

/** The result of liking. */
@ObjectType({ simpleResolvers: true, description: 'The result of `likeTweet`.' })
class LikeTweetPayload extends ChangedTweet {}

/** The result of unliking. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unlikeTweet`.' })
class UnlikeTweetPayload extends ChangedTweet {}

/** Liking and unliking, as the caller's user. */
@Resolver()
export class LikeMutations {
  @Reads(...ORIGINAL_BY_ID, rowsOf(relations), ...VIEWER_READS)
  @Mutation(() => LikeTweetPayload, {
    nullable: true,
    description:
      'Likes a tweet as the caller; of a share, its original. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, `FORBIDDEN` with the reason `BLOCKED`, or `RATE_LIMITED` for many changes to one tweet within an hour.',
  })
  likeTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeLike(context, id, true);
  }

  @Reads(...ORIGINAL_BY_ID, rowsOf(relations), ...VIEWER_READS)
  @Mutation(() => UnlikeTweetPayload, {
    nullable: true,
    description:
      "Removes the caller's like of a tweet; of a share, that of its original. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, or `RATE_LIMITED` for many deletions, or many changes to one tweet, within an hour.",
  })
  unlikeTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeLike(context, id, false);
  }
}

function changeLike(context: MutationContext, id: string, likes: boolean) {
  const { limits, writeServices } = context;
  const known: KnownAnswer[] = [];
  const act = (tweet: StoredTweet, userId: string) => {
    const change = async () => {
      const { hasChanged, counts } = await setLiked(writeServices, tweet, userId, likes);
      known.push(knownAnswer(tweetCounts.get, { tweetId: tweet.tweetId }, counts));
      return hasChanged;
    };
    const isUnliked = async () => !(await isLiked(writeServices, tweet.tweetId, userId));
    const unlike = () =>
      writeServices.quotas.spend(userId, { deletions: 1 }, change, (changed) => changed, isUnliked);
    return limits.pair('like', tweet.tweetId, likes ? change : unlike);
  };
  return changeOriginal(context, id, act, { isTakenBack: !likes, known });
}
