import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { Bounded, ID_BOUNDS } from '../kit/graphql/input-bounds';
import { Reads } from '../kit/model/reads';
import { idIn } from '../kit/relay/node';
import { users } from '../user/user.table';
import { requireViewer } from '../viewer/viewer';
import { usersByIdentity } from '../viewer/viewer.table';
import { deleteTweet } from './delete';
import { postingOf } from './draft';
import { post } from './post';
import { CreateTweetInput } from './tweet.input';
import { deletedTweets, tweets } from './tweet.table';
import { DeletePayload, TweetPayload } from './tweet.type';

/** Posting and deleting, by the caller's user. */
@Resolver()
export class TweetMutations {
  @Reads(tweets, deletedTweets, users, usersByIdentity)
  @Mutation(() => TweetPayload, {
    description:
      "Posts a tweet, reply or quote. It is in the author's list when this answers, and goes to the followers' timelines behind it. With an `idempotencyKey` it is safe to repeat. `UNAUTHENTICATED` without a user; `BAD_USER_INPUT`, also for a target that is not there; `CONFLICT` for a key that came with other content; `NOT_FOUND` for a key whose tweet was deleted. Costs a logged batch of its rows and a lightweight transaction on `tallies` (two for a reply, one more for a key).",
  })
  async createTweet(
    @Arg('input', () => CreateTweetInput) input: CreateTweetInput,
    @Ctx() { load, viewer, writing }: Context,
  ) {
    const authorId = await requireViewer(viewer);
    const tweet = await post(writing, authorId, postingOf(load, input));
    load.forget();
    return { tweet };
  }

  @Reads(tweets, deletedTweets, users, usersByIdentity)
  @Mutation(() => DeletePayload, {
    description:
      "Deletes a tweet of the caller's, for good: it is in no list and timeline at the next read, and its shares go with it. Deleting again succeeds again. `UNAUTHENTICATED` without a user, `FORBIDDEN` for another's, `NOT_FOUND` for what was never there. Costs a logged batch of its rows, a lightweight transaction on `tallies` and a removal for each follower that it was pushed to.",
  })
  async deleteTweet(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Ctx() { load, viewer, writing }: Context,
  ) {
    const authorId = await requireViewer(viewer);
    await deleteTweet(writing, authorId, idIn('Tweet', id));
    load.forget();
    return { deletedId: id };
  }
}
