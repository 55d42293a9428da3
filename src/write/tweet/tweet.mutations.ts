import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { MutationContext } from '../mutation-context';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { relations } from '../../features/follow/follow.table';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { idIn } from '../../kit/graphql/global-id';
import { requireWriter } from '../../features/viewer/viewer';
import { VIEWER_READS } from '../../features/viewer/viewer-reads';
import { userCounts } from '../../features/user/user.table';
import { createLoad, knownAnswer } from '../../kit/reads/load';
import { spendOnPost } from '../spend-on-post';
import { deleteTweet } from './delete-tweet';
import { prepareTweet } from './draft';
import { postTweet } from './post-tweet';
import { CreateTweetInput } from './tweet.input';
import { ORIGINAL_BY_ID, TWEET_BY_ID } from '../../features/tweet/tweet-reads';
import { deletedTweets, tweets } from '../../features/tweet/tweet.table';
import { CreateTweetPayload, DeleteTweetPayload } from './tweet.payload';

/** Posting and deleting tweets, as the caller's user. */
@Resolver()
export class TweetMutations {
  @Reads(...ORIGINAL_BY_ID, ...ORIGINAL_BY_ID, rowsOf(relations, 2), ...VIEWER_READS)
  @Mutation(() => CreateTweetPayload, {
    nullable: true,
    description:
      "Posts a tweet, reply or quote as the caller; it reaches the followers' timelines and `tweetFrequency` soon after the answer, all other lists before. Fails with `UNAUTHENTICATED` without a user, `BAD_USER_INPUT`, `FORBIDDEN` with the reason `BLOCKED`, `CONFLICT` for a key that was used with other content, `NOT_FOUND` for a key whose tweet was deleted, or `RATE_LIMITED` for many posts within an hour, or many bytes within a day.",
  })
  async createTweet(
    @Arg('input', () => CreateTweetInput) input: CreateTweetInput,
    @Ctx() { load, viewer, writeServices }: MutationContext,
  ) {
    const authorId = await requireWriter(viewer);
    const { tweet, authorCounts } = await spendOnPost(
      writeServices,
      authorId,
      input,
      () => postTweet(writeServices, authorId, prepareTweet(load, authorId, input)),
      (posted) => posted.tweet.createdAt,
    );
    const known = authorCounts ? [knownAnswer(userCounts.get, { userId: authorId }, authorCounts)] : [];
    load.forget(...known);
    return { tweet };
  }

  @Reads(...TWEET_BY_ID, ...VIEWER_READS)
  @Mutation(() => DeleteTweetPayload, {
    nullable: true,
    description:
      "Deletes a tweet of the caller and its shares for good; deleting again succeeds. Fails with `UNAUTHENTICATED` without a user, `FORBIDDEN` for another author's tweet, `NOT_FOUND` for one that never existed, or `RATE_LIMITED` for many deletions within an hour.",
  })
  async deleteTweet(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Ctx() { load, viewer, writeServices, limits }: MutationContext,
  ) {
    const authorId = await requireWriter(viewer);
    const tweetId = idIn('Tweet', id);
    const deleteIt = () => deleteTweet(writeServices, authorId, tweetId);
    const { database, quotas } = writeServices;
    const isGone = async () => (await createLoad(database)(deletedTweets.get, { tweetId })) !== null;
    const deleteOnce = () =>
      quotas.spend(authorId, { deletions: 1 }, deleteIt, (isDeleted) => isDeleted, isGone);
    const original = (await load(tweets.get, { tweetId }))?.inReplyToId;
    // Each deleted reply leaves a tombstone in the replies of a tweet that may be another author's.
    if (original == null) await deleteOnce();
    else await limits.pair('delete reply', original, deleteOnce);
    load.forget();
    return { deletedId: id };
  }
}
