import { putAll, putRows } from '../../kit/data/row-writer';
import type { Row } from '../../kit/cassandra/table';
import { ClientError, notFound } from '../../kit/base/errors';
import { claimKey } from '../../kit/data/idempotency';
import { createLoad } from '../../kit/data/load';
import type { Handler } from '../../kit/work/handler';
import type { PreparedTask } from '../../kit/work/outbox';
import { placerOf } from '../../kit/data/placer';
import { timeOfId } from '../../kit/base/snowflake';
import { bytesIn, MAX_BATCH_BYTES } from '../../kit/data/write';
import { countInTime, countNewInTime } from './count-in-time';
import { fanOut } from '../timeline/fan-out';
import { refreshUserCounts } from '../user/user-counts';
import type { WriteContext } from '../write-context';
import { remove, removeAs } from './delete-tweet';
import { additionOf, addEntries, isLate } from '../../kit/postings/unsealed';
import { arrivalOf, isLate as hasComeLate } from '../../kit/live/late-arrivals';
import { LATE_TWEETS } from '../../live/late-tweets';
import { postedTopics } from '../../live/topics';
import { tweetEntry, TWEETS } from '../../search/tweet-index';
import { indexRowsOf } from './index-rows';
import { rowsOf } from './tweet-rows';
import { refreshTweetCounts } from './tweet-counts';
import { deletedTweets, tweets } from '../../tweet/tweet.table';

type TweetRow = Row<typeof tweets>;

/** A new tweet without its id, author and time. */
export type Draft = Omit<TweetRow, 'tweetId' | 'authorId' | 'createdAt'>;

/** A request to post a tweet. */
export interface Posting {
  /** The caller's idempotency key. */
  readonly key: string | null;
  /** The caller's input, which must be the same for the same key. */
  readonly content: unknown;
  /** The tweet to reply to, as the caller names it: a share, perhaps. */
  readonly inReplyToId: string | null;
  /** Creates the tweet, or throws what is wrong with it. Called only if the key has not created a tweet before. */
  readonly draft: () => Promise<Draft>;
}

/**
 * Posts a tweet. When this resolves, it is in all lists, also those of search, hashtags and places, and is counted for its author
 * and the tweet that it replies to. The frequency and the followers' timelines follow in the background. With the key of an
 * earlier call, returns the tweet of that call. Throws `BAD_USER_INPUT`, `CONFLICT` when the key came with other content before,
 * and `NOT_FOUND` when the tweet of the key was deleted since.
 */
export async function post(
  writeContext: WriteContext,
  authorId: string,
  { key, content, inReplyToId, draft }: Posting,
): Promise<TweetRow> {
  const load = createLoad(writeContext.database);
  const fresh = writeContext.worker.nextId();
  let drafted: Promise<Draft> | undefined;
  const drafting = () => (drafted ??= draft());
  const tweetId =
    key === null ? fresh : await claimKey(writeContext.database, authorId, key, content, fresh, drafting);
  if (tweetId !== fresh) {
    const [posted, deleted] = await Promise.all([
      load(tweets.get, { tweetId }),
      load(deletedTweets.get, { tweetId }),
    ]);
    if (deleted) throw notFound(`Tweet ${tweetId}, which this idempotency key created, was deleted.`);
    if (posted) {
      // The call that stored it may have been cut off before it counted it.
      await count(writeContext, posted);
      return posted;
    }
  }
  const identity = { tweetId, authorId, createdAt: timeOfId(tweetId) };
  try {
    return await store(writeContext, { ...(await drafting()), ...identity });
  } catch (error) {
    // An earlier call may have stored the tweet although its write seemed to fail. A refused tweet must not exist.
    const refused = error instanceof ClientError && error.extensions['code'] === 'BAD_USER_INPUT';
    if (refused && tweetId !== fresh) {
      const language = (await createLoad(writeContext.database)(tweets.get, { tweetId }))?.language ?? null;
      await removeAs(writeContext, {
        ...identity,
        inReplyToId,
        sharedTweetId: null,
        imported: false,
        language,
      });
    }
    throw error;
  }
}

/**
 * Stores a tweet with its indexes, counts it, and starts the work that the author does not wait for: frequency and fan-out. A
 * task is enqueued with the tweet, so that another server completes the work if this one is cut off: in one logged batch with
 * the rows or, if these are too large for a batch, before them. Each row holds the whole text.
 */
export async function store(writeContext: WriteContext, tweet: TweetRow): Promise<TweetRow> {
  const prepared = await writeContext.outbox.prepareTask('post', { tweetId: tweet.tweetId });
  try {
    const stored = storeRows(writeContext, tweet, prepared);
    const told = stored.then(() => tell(writeContext, tweet));
    await Promise.all([count(writeContext, tweet, stored), told]);
  } catch (error) {
    writeContext.outbox.runInBackground(prepared.task);
    throw error;
  }
  // This does not wait for the task's turn: tweets of a minute that are counted at the same time share a transaction.
  const counted = countNewInTime(writeContext, tweet, added(tweet)).then(
    () => true,
    () => false,
  );
  writeContext.outbox.runInBackground(prepared.task, async (_, task) => {
    await fanOut(writeContext, tweet.tweetId, task);
    await task.waitOutside(counted);
    if (!(await counted)) await countNewInTime(writeContext, tweet, added(tweet));
  });
  return tweet;
}

/** Stores a tweet's rows and its task, together if they are not too large, with its entry in the index of words. */
async function storeRows(writeContext: WriteContext, tweet: TweetRow, prepared: PreparedTask): Promise<void> {
  const { database, outbox, worker } = writeContext;
  const placer = placerOf(database);
  const { writes: indexRows, listBuckets } = indexRowsOf(tweet);
  const entry = tweetEntry(tweet);
  const addedAt = Date.now();
  const addition = entry.terms.length === 0 ? [] : [additionOf(TWEETS, entry, addedAt)];
  // A place on the map is five rows and their buckets: these are stored beside the batch.
  const isPlaced = listBuckets.length > 0;
  const placed = isPlaced ? putRows(writeContext.bulk(), [{ writes: indexRows, listBuckets }]) : null;
  placed?.catch(() => undefined);
  const writes = await placer.place([...rowsOf(tweet), ...addition, ...(isPlaced ? [] : indexRows)]);
  const batch = [prepared.write, ...writes];
  const isSmall = batch.reduce((sum, write) => sum + bytesIn(write), 0) <= MAX_BATCH_BYTES;
  await outbox.enqueue(prepared, isSmall ? writes : []);
  if (!isSmall) {
    // A task whose tweet is missing is given up after some minutes. If this server was held up, another may have done so.
    worker.requireLease();
    // The tweet's own row comes first: from it, another server can store the others.
    for (const { query, params } of writes) await database.write(query, params);
  }
  placer.stored(writes);
  await placed;
  if (isLate(addedAt)) await addToIndex(writeContext, tweet);
}

/** Tells subscriptions of a tweet that was stored. If that took long, it is also recorded, because they look back for some seconds. */
async function tell({ database, signals }: WriteContext, tweet: TweetRow): Promise<void> {
  if (hasComeLate(timeOfId(tweet.tweetId))) {
    const { query, params } = arrivalOf(LATE_TWEETS.list, LATE_TWEETS.owner, 'row', tweet.tweetId);
    await database.write(query, params);
  }
  signals.publish(postedTopics(tweet), tweet.tweetId);
}

/** Adds a tweet to the index of words. */
async function addToIndex(writeContext: WriteContext, tweet: TweetRow): Promise<void> {
  const entry = tweetEntry(tweet);
  if (entry.terms.length > 0)
    await addEntries(TWEETS, [entry], (writes) => putAll(writeContext.bulk(), writes));
}

/** Completes a posting that was interrupted, and its fan-out. */
export function postHandler(writeContext: WriteContext): Handler {
  return async ({ tweetId = '' }, task) => {
    const tweet = await createLoad(writeContext.database)(tweets.get, { tweetId });
    if (tweet && !(await isWanted(writeContext, tweet))) return remove(writeContext, tweetId);
    if (tweet) {
      if (!task.isSettled) await storeAgain(writeContext, tweet);
      await countInTime(writeContext, tweet, added(tweet));
      await tell(writeContext, tweet);
    }
    await fanOut(writeContext, tweetId, task);
  };
}

/** Stores and counts what `store` may have been cut off from. */
async function storeAgain(writeContext: WriteContext, tweet: TweetRow): Promise<void> {
  await putAll(writeContext.bulk(), rowsOf(tweet));
  await Promise.all([
    putRows(writeContext.bulk(), [indexRowsOf(tweet)]),
    addToIndex(writeContext, tweet),
    count(writeContext, tweet),
  ]);
}

/** Whether a tweet should exist: false for a share that was removed, or whose original was deleted, before it was stored. */
async function isWanted(
  { database, tally }: WriteContext,
  { tweetId, authorId, sharedTweetId }: TweetRow,
): Promise<boolean> {
  if (sharedTweetId === null) return true;
  const deleted = await createLoad(database)(deletedTweets.get, { tweetId: sharedTweetId });
  const membership = await tally.membership(sharedTweetId, 'shares', authorId);
  return deleted === null && membership?.present === true && membership.item === tweetId;
}

/**
 * Counts a tweet for its author and for the tweet that it replies to, when it is `stored`. Repeating it changes nothing. An
 * import that counts at the same time expects the rows of what was counted.
 */
export async function count(
  writeContext: WriteContext,
  tweet: TweetRow,
  stored = Promise.resolve(),
): Promise<void> {
  const { authorId, inReplyToId } = tweet;
  const change = { member: tweet.tweetId, ...added(tweet) };
  const countFor = async (owner: string, list: string, refresh: typeof refreshTweetCounts) => {
    await writeContext.tally.change({ owner, list, ...change }, stored);
    await refresh(writeContext, owner);
  };
  await Promise.all([
    countFor(authorId, 'tweets', refreshUserCounts),
    inReplyToId !== null && countFor(inReplyToId, 'replies', refreshTweetCounts),
  ]);
}

/** The change of a tally by which a tweet is added to a list. */
function added({ createdAt }: TweetRow) {
  return { present: true, at: createdAt };
}
