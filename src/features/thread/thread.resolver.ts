import { Args, ArgsType, Ctx, Field, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { ForwardArgs } from '../../kit/input/page-args';
import { pageOf } from '../../kit/lists/page';
import type { Load } from '../../kit/reads/load';
import { seeTweet } from '../hidden/hiding';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { hiddenSetOf } from '../hidden/sight/sight';
import { TweetConnection } from '../tweet/tweet.node';
import { cachedTweets } from '../tweet/tweet-invalidations';
import { deletedTweets, tweets, type StoredTweet, type TweetRow } from '../tweet/tweet.table';
import { Tweet } from '../tweet/tweet.type';
import { tweetById } from '../tweet/visible';
import { answerFor } from '../viewer/viewer';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { noThread, readThread } from './thread-page';
import { ANCESTOR_READS, THREAD_READS } from './thread-reads';
import { ThreadArgs, ThreadConnection } from './thread.type';
import { conversing, MAX_ANCESTORS, readAncestors } from './ancestors';

/** The arguments of ancestors. */
@ArgsType()
class AncestorsArgs extends ForwardArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: MAX_ANCESTORS,
    description: `How many: 1 to 100, of which a page has at most ${MAX_ANCESTORS}.`,
  })
  override first?: number | null;
}

/** The place of a tweet in its conversation. */
@Resolver(() => Tweet)
export class ThreadResolver {
  @Reads(rowsOf(tweets, 2), rowsOf(deletedTweets), ...SIGHT_READS)
  @FieldResolver(() => Tweet, {
    nullable: true,
    description:
      'The tweet with which its conversation begins: itself unless it is a reply; for a share, that of its original. Null if that was deleted, is not stored here, or is hidden.',
  })
  async root(@Root() tweet: Tweet, @Ctx() context: Context) {
    const { load } = context;
    const own = await conversing(load, tweet);
    if (own === null) return null;
    if (own.inReplyToId === null)
      return own === tweet ? tweet : seeTweet(context, tweetById(load, own.tweetId), 'THREAD');
    const rootId = await findRootId(load, own);
    return rootId === null ? null : seeTweet(context, tweetById(load, rootId), 'THREAD');
  }

  @Reads(rowsOf(tweets, 2), ...VIEWER_READS, ...SIGHT_READS)
  @FieldResolver(() => Boolean, {
    description:
      "Whether the caller's user has muted the thread that the tweet is in; false without a token.",
  })
  viewerHasMutedThread(@Root() tweet: Tweet, @Ctx() { load, viewer }: Context) {
    return answerFor(viewer, false, async (viewerId) => {
      const { mutedThreads } = await hiddenSetOf(load, viewerId);
      // Most people have muted none: then nothing is read of the tweet.
      const own = mutedThreads.size === 0 ? null : await conversing(load, tweet);
      return own !== null && mutedThreads.has((await findRootId(load, own)) ?? own.tweetId);
    });
  }

  @Reads(...ANCESTOR_READS)
  @FieldResolver(() => TweetConnection, {
    description:
      'The tweets above it in its conversation, from the root on, at most 40 a page, without deleted ones; for a share, those above its original. In a conversation of more than 10,000 replies they are the nearest 40, and while `hasPreviousPage` is true, `ancestors` of the first one go on.',
  })
  async ancestors(
    @Root() tweet: Tweet,
    @Args(() => AncestorsArgs) args: AncestorsArgs,
    @Ctx() context: Context,
  ) {
    const { load } = context;
    const name = `ancestors ${tweet.sharedTweetId ?? tweet.tweetId}`;
    const page = pageOf(name, args, MAX_ANCESTORS);
    const own = await conversing(load, tweet);
    return readAncestors(context, own, { ...page, name });
  }

  @Reads(...THREAD_READS)
  @FieldResolver(() => ThreadConnection, {
    description:
      'The tweet and the replies below it, as a flat list in the order of display; for a share, those of its original. Where there are more replies than shown, `moreReplies` has the cursor to go on with.',
  })
  async thread(@Root() tweet: Tweet, @Args(() => ThreadArgs) args: ThreadArgs, @Ctx() context: Context) {
    const { load } = context;
    const tweetId = tweet.sharedTweetId ?? tweet.tweetId;
    // Lists do not have the root.
    const top = await load(cachedTweets, { tweetId });
    if (top === null) return noThread(args);
    return readThread(context, top, args);
  }
}

/** The id of the tweet with which a conversation begins; null if that is not known. */
async function findRootId(
  load: Load,
  tweet: TweetRow & Partial<Pick<StoredTweet, 'rootId'>>,
): Promise<string | null> {
  // Lists do not have the root.
  const { rootId } = tweet.rootId === undefined ? ((await load(cachedTweets, tweet)) ?? tweet) : tweet;
  return rootId ?? null;
}
