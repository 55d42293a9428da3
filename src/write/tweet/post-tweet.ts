import { putRows } from '../../kit/data/bulk';
import type { Row } from '../../kit/cassandra/table';
import { ClientError, notFound } from '../../kit/base/errors';
import { claimKey } from '../../kit/data/idempotency';
import { createLoad } from '../../kit/data/load';
import type { Handler } from '../../kit/work/handler';
import { buckets } from '../../kit/data/buckets';
import { timeOfId } from '../../kit/work/worker';
import { bytesIn, MAX_BATCH_BYTES, writeOf } from '../../kit/data/write';
import { countInTime } from './count-in-time';
import { fanOut } from '../timeline/fan-out';
import { refreshUserCounts } from '../user/user-counts';
import type { WriteContext } from '../write-context';

import { remove, removeAs } from './delete-tweet';
import { indexRowsOf } from './index-rows';
import { rowsOf } from './tweet-rows';
import { refreshTweetCounts } from './tweet-counts';
import { deletedTweets, tweets } from '../../tweet/tweet.table';

type TweetRow = Row<typeof tweets>;

/** What a new tweet says; who posts it is known apart. */
export type Draft = Omit<TweetRow, 'tweetId' | 'authorId' | 'createdAt'>;

/** What is to be posted. */
export interface Posting {
  /** The caller's idempotency key. */
  readonly key: string | null;
  /** What the caller gave: the same for the same key. */
  readonly content: unknown;
  /** The tweet that it is to reply to, as the caller names it. */
  readonly inReplyToId: string | null;
  /** Makes the tweet, or throws what is wrong with it; asked only where the key has not made it before. */
  readonly draft: () => Promise<Draft>;
}

/**
 * Posts a tweet: it stands in all lists when this resolves, and goes to the followers' timelines behind it. With the
 * key of an earlier call it is that call's tweet. `CONFLICT`: the key came with other content before; `NOT_FOUND`: its
 * tweet was deleted since.
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
    if (deleted) throw notFound(`Tweet ${tweetId}, which this idempotency key made, was deleted.`);
    if (posted) {
      // Whoever stored it may have been cut off before counting.
      await count(writeContext, posted);
      return posted;
    }
  }
  const identity = { tweetId, authorId, createdAt: timeOfId(tweetId) };
  try {
    return await store(writeContext, { ...(await drafting()), ...identity });
  } catch (error) {
    // An earlier call may have stored it without ever knowing: what is refused must not come to be.
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
 * Stores a tweet with all that is derived from it; its way into timelines begins and is not waited for. A task comes
 * with it, so that where this server is cut off another one finishes: in one logged batch with the rows or, where these
 * are too large for a batch, before them. Each row holds the whole text.
 */
export async function store(writeContext: WriteContext, tweet: TweetRow): Promise<TweetRow> {
  const prepared = await writeContext.outbox.prepareTask('post', { tweetId: tweet.tweetId });
  const { writes, listBuckets } = rowsOf(tweet);
  const known = listBuckets.map((listBucket) => writeOf(buckets, listBucket));
  const whole = [prepared.write, ...writes, ...known];
  const isSmall = whole.reduce((sum, write) => sum + bytesIn(write), 0) <= MAX_BATCH_BYTES;
  try {
    await writeContext.outbox.enqueue(prepared, isSmall ? [...writes, ...known] : known);
    if (!isSmall) {
      // A task without a tweet is given up in time: of a server that was held up, others may have done so.
      writeContext.worker.requireLease();
      for (const { query, params } of writes) await writeContext.database.write(query, params);
    }
    await Promise.all([storeIndexes(writeContext, tweet), count(writeContext, tweet)]);
  } catch (error) {
    writeContext.outbox.runInBackground(prepared.task);
    throw error;
  }
  writeContext.outbox.runInBackground(prepared.task, ({ tweetId = '' }, progress) =>
    fanOut(writeContext, tweetId, progress),
  );
  return tweet;
}

/** Stores what finds a tweet by what is in it. */
async function storeIndexes(writeContext: WriteContext, tweet: TweetRow): Promise<void> {
  const bulk = writeContext.bulk();
  await putRows(bulk, [indexRowsOf(bulk.shardRouter, tweet)]);
}

/** Finishes what posting began. */
export function postHandler(writeContext: WriteContext): Handler {
  return async ({ tweetId = '' }, task) => {
    const tweet = await createLoad(writeContext.database)(tweets.get, { tweetId });
    if (tweet && !(await isWanted(writeContext, tweet))) return remove(writeContext, tweetId);
    if (tweet) {
      for (const { query, params } of rowsOf(tweet).writes) await writeContext.database.write(query, params);
      await Promise.all([storeIndexes(writeContext, tweet), count(writeContext, tweet)]);
    }
    await fanOut(writeContext, tweetId, task);
  };
}

/** Whether a tweet is to be there: not a share that was taken away, or whose original was deleted, before it was stored. */
async function isWanted(
  { database, tally }: WriteContext,
  { tweetId, authorId, sharedTweetId }: TweetRow,
): Promise<boolean> {
  if (sharedTweetId === null) return true;
  const deleted = await createLoad(database)(deletedTweets.get, { tweetId: sharedTweetId });
  const membership = await tally.membership(sharedTweetId, 'shares', authorId);
  return deleted === null && membership?.present === true && membership.item === tweetId;
}

/** Counts a tweet for its author and for what it replies to, unless that is done. */
export async function count(writeContext: WriteContext, tweet: TweetRow): Promise<void> {
  const { tweetId, authorId, createdAt, inReplyToId } = tweet;
  const counted = { member: tweetId, present: true, at: createdAt };
  await Promise.all([
    writeContext.tally.change({ owner: authorId, list: 'tweets', ...counted }),
    countInTime(writeContext, tweet, counted),
    inReplyToId !== null && writeContext.tally.change({ owner: inReplyToId, list: 'replies', ...counted }),
  ]);
  await Promise.all([
    refreshUserCounts(writeContext, authorId),
    inReplyToId !== null && refreshTweetCounts(writeContext, inReplyToId),
  ]);
}
