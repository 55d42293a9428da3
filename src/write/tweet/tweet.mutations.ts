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
import { DeletePayload, TweetPayload } from '../../tweet/tweet.type';

/** Posting and deleting, by the caller's user. */
@Resolver()
export class TweetMutations {
  @Reads(...ORIGINAL_BY_ID, ...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => TweetPayload, {
    description:
      "Posts a tweet, reply or quote. It is in the author's list when this answers, and goes to the followers' timelines behind it. With an `idempotencyKey` it is safe to repeat. `UNAUTHENTICATED` without a user; `BAD_USER_INPUT`, also for a target that is not there; `CONFLICT` for a key that came with other content; `NOT_FOUND` for a key whose tweet was deleted. Writes a logged batch of its rows, with a lightweight transaction on `tallies` (two for a reply, one more for a key).",
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
  @Mutation(() => DeletePayload, {
    description:
      "Deletes a tweet of the caller's, for good: it is in no list and timeline at the next read, and its shares go with it. Deleting again succeeds again. `UNAUTHENTICATED` without a user, `FORBIDDEN` for another's, `NOT_FOUND` for what was never there, `RATE_LIMITED` for many replies to one tweet within an hour. Writes a logged batch of its rows, with a lightweight transaction on `tallies` and a removal for each follower that it was pushed to.",
  })
  async deleteTweet(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Ctx() { load, viewer, writeContext, limits }: MutationContext,
  ) {
    const authorId = await requireViewer(viewer);
    const tweetId = idIn('Tweet', id);
    const act = async () => {
      await deleteTweet(writeContext, authorId, tweetId);
      return true;
    };
    const original = (await load(tweets.get, { tweetId }))?.inReplyToId;
    // Each deleted reply leaves a tombstone in the replies of a tweet that may be another's.
    if (original == null) await act();
    else await limits.pair('delete reply', original, act);
    load.forget();
    return { deletedId: id };
  }
}
