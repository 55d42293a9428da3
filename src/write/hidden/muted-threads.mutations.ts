import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { ORIGINAL_BY_ID } from '../../features/tweet/tweet-reads';
import { blockedBetween } from '../../features/hidden/blocked';
import { MAX_MUTED_THREADS } from '../../features/hidden/hidden.table';
import { SIGHT_READS } from '../../features/hidden/hidden-reads';
import { seenTweet, whyHidden } from '../../features/hidden/hiding';
import { deletedTweets, rootOf, tweets, type StoredTweet } from '../../features/tweet/tweet.table';
import { Tweet } from '../../features/tweet/tweet.type';
import { isByHidden, readOriginal } from '../../features/tweet/visible';
import { VIEWER_READS } from '../../features/viewer/viewer-reads';
import { idIn, nodeNotFound } from '../../kit/graphql/global-id';
import { requireWriter } from '../../features/viewer/viewer';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { NullOnlyByError } from '../../kit/input/null-only-by-error';
import type { Load } from '../../kit/reads/load';
import type { MutationContext } from '../mutation-context';
import { muteThread, readHidden, TOMBSTONES, unmuteThread } from './set-muted';

@ObjectType({ simpleResolvers: true })
abstract class ChangedThread {
  @Field(() => Tweet, {
    description: 'Where the thread begins; if that was deleted, the tweet that was given.',
  })
  root: Tweet;
}

/** The result of muting a thread. */
@ObjectType({ simpleResolvers: true, description: 'The result of `muteThread`.' })
class MuteThreadPayload extends ChangedThread {}

/** The result of ending that. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unmuteThread`.' })
class UnmuteThreadPayload extends ChangedThread {}

const THREAD_READS = [...ORIGINAL_BY_ID, rowsOf(tweets), ...SIGHT_READS, ...VIEWER_READS] as const;
const FAILURES =
  'Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, `FORBIDDEN` with the reason `BLOCKED`,';

/** Muting threads, as the caller's user. */
@Resolver()
export class MutedThreadMutations {
  @Reads(...THREAD_READS)
  @Mutation(() => MuteThreadPayload, {
    nullable: true,
    description: `Hides notifications of the whole thread of a tweet from the caller, but of mentions; at most ${MAX_MUTED_THREADS.toLocaleString('en')} threads. ${FAILURES} or \`BAD_USER_INPUT\`.`,
  })
  muteThread(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return muteThreadOf(context, id);
  }

  @Reads(...THREAD_READS, rowsOf(deletedTweets))
  @NullOnlyByError(false)
  @Mutation(() => UnmuteThreadPayload, {
    nullable: true,
    description: `Shows the notifications of a thread again that \`muteThread\` has hidden, also after the tweet was deleted; null without an error where the caller may see neither the root of the thread nor the tweet any more. ${FAILURES} \`BAD_USER_INPUT\`, or \`RATE_LIMITED\` for many deletions within an hour.`,
  })
  unmuteThread(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return unmuteThreadOf(context, id);
  }
}

async function muteThreadOf(context: MutationContext, id: string) {
  const userId = await requireWriter(context.viewer);
  const tweetId = idIn('Tweet', id);
  const tweet = await readOriginal(context.load, tweetId);
  if (tweet === null) throw nodeNotFound('Tweet', tweetId);
  if (!(await isShown(context, tweet))) throw blockedBetween();
  const rootId = rootOf(tweet);
  const { database, quotas } = context.writeServices;
  await quotas.spend(userId, {}, () => muteThread(database, userId, rootId));
  context.load.forget();
  return { root: (await readShown(context, rootId)) ?? tweet };
}

/**
 * Ends that, also if the tweet was deleted or hidden since. If the call removes no mute, it is refused for such a tweet, so that it does not
 * reveal the tweet.
 */
async function unmuteThreadOf(context: MutationContext, id: string) {
  const userId = await requireWriter(context.viewer);
  const tweetId = idIn('Tweet', id);
  const tweet = await readOriginal(context.load, tweetId, { mayBeHidden: true });
  const rootId = tweet === null ? await rootOfDeleted(context.load, tweetId) : rootOf(tweet);
  const shown = tweet !== null && (await isShown(context, tweet)) ? tweet : null;
  const { database, quotas } = context.writeServices;
  const amounts = { deletions: TOMBSTONES.ofEnd };
  const hasChanged = await quotas.spend(
    userId,
    amounts,
    () => unmuteThread(database, userId, rootId),
    Boolean,
    async () => !(await readHidden(database, userId)).mutedThreads.has(rootId),
  );
  if (!hasChanged && tweet === null) throw nodeNotFound('Tweet', tweetId);
  if (!hasChanged && shown === null) throw blockedBetween();
  context.load.forget();
  const root = (await readShown(context, rootId)) ?? shown;
  return root && { root };
}

/** The root of the conversation of a deleted tweet; the tweet itself if nothing is known of it any more. */
async function rootOfDeleted(load: Load, tweetId: string): Promise<string> {
  const deleted = await load(deletedTweets.get, { tweetId });
  const originalId = deleted?.sharedTweetId ?? tweetId;
  const original = originalId === tweetId ? deleted : await load(deletedTweets.get, { tweetId: originalId });
  return original?.rootId ?? originalId;
}

async function isShown(context: MutationContext, tweet: StoredTweet): Promise<boolean> {
  return !isByHidden(context.load, tweet) && (await whyHidden(context, seenTweet(tweet), 'DIRECT')) === null;
}

/** A tweet by its id; null if it was deleted, or the caller may not see it. */
async function readShown(context: MutationContext, tweetId: string): Promise<StoredTweet | null> {
  const tweet = await context.load(tweets.get, { tweetId });
  return tweet !== null && (await isShown(context, tweet)) ? tweet : null;
}
