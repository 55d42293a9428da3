import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { MutationContext } from '../mutation-context';
import { Reads } from '../../kit/cost/reads';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { idIn } from '../../kit/relay/node';
import { requireViewer } from '../../viewer/viewer';
import { VIEWER_READS } from '../../viewer/viewer-reads';
import { deleteTweet } from './delete-tweet';
import { postingOf } from './draft';
import { post } from './post-tweet';
import { CreateTweetInput } from './tweet.input';
import { ORIGINAL_BY_ID, TWEET_BY_ID } from '../../tweet/tweet-reads';
import { tweets } from '../../tweet/tweet.table';
import { CreateTweetPayload, DeleteTweetPayload } from './tweet.payload';

/** Posting and deleting tweets, as the caller's user. */
@Resolver()
export class TweetMutations {
  @Reads(...ORIGINAL_BY_ID, ...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => CreateTweetPayload, {
    nullable: true,
    description:
      "Posts a tweet, reply or quote as the caller. It is in the lists of its author, search, hashtags and the map before this answers, and reaches the frequency and the followers' timelines soon after. After `UNAVAILABLE` the tweet usually still comes, so only a call with an `idempotencyKey` is safe to repeat. Fails with `UNAUTHENTICATED` without a user, `BAD_USER_INPUT` (also if the tweet to reply to or to quote does not exist), `CONFLICT` for a key that was used with other content, or `NOT_FOUND` for a key whose tweet was deleted. Before it answers, it writes a task, then its rows in a batch and, at the same time, a lightweight transaction on `tallies` (two for a reply, one more for a key).",
  })
  async createTweet(
    @Arg('input', () => CreateTweetInput) input: CreateTweetInput,
    @Ctx() { load, viewer, writeContext }: MutationContext,
  ) {
    const authorId = await requireViewer(viewer);
    const tweet = await post(writeContext, authorId, postingOf(load, input));
    load.forget();
    return { tweet };
  }

  @Reads(...TWEET_BY_ID, ...VIEWER_READS)
  @Mutation(() => DeleteTweetPayload, {
    nullable: true,
    description:
      "Deletes a tweet of the caller permanently. From the next read on it is in no list and no timeline, and neither are its shares; others may still be shown for two seconds what a server has read before. Deleting again succeeds. Fails with `UNAUTHENTICATED` without a user, `FORBIDDEN` for another author's tweet, `NOT_FOUND` for a tweet that never existed, or `RATE_LIMITED` for deleting many replies to one tweet within an hour. Writes a logged batch of its rows, a lightweight transaction on `tallies`, and a removal for each follower that it was pushed to.",
  })
  async deleteTweet(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Ctx() { load, viewer, writeContext, limits }: MutationContext,
  ) {
    const authorId = await requireViewer(viewer);
    const tweetId = idIn('Tweet', id);
    const deleteIt = async () => {
      await deleteTweet(writeContext, authorId, tweetId);
      return true;
    };
    const original = (await load(tweets.get, { tweetId }))?.inReplyToId;
    // Each deleted reply leaves a tombstone in the replies of a tweet that may be another author's.
    if (original == null) await deleteIt();
    else await limits.pair('delete reply', original, deleteIt);
    load.forget();
    return { deletedId: id };
  }
}
