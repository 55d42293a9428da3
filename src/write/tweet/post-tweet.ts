import { putAll, putRows } from '../../kit/writes/row-writer';
import { ClientError, notFound } from '../../kit/base/errors';
import { claimKey } from '../../kit/writes/idempotency';
import { createLoad } from '../../kit/reads/load';
import { shortTask, type DeclaredHandler, type Payload } from '../../kit/work/handler';
import { encodeNodeId } from '../../kit/graphql/global-id';
import { timeOfId } from '../../kit/base/snowflake';
import { countInTime, countNewInTime } from './count-in-time';
import { CHUNK_FOLLOWERS } from '../timeline/author-pages';
import { fanOut } from '../timeline/fan-out';
import { finalTime } from '../final-time';
import { notifyOfTweet, takeBackTweet } from '../notification/notify-tweet';
import { readAuthorCounts, tweetCountWrites, tweetsChange } from '../user/user-counts';
import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import type { Ahead, Change } from '../../kit/work/tally';
import type { userCounts } from '../../features/user/user.table';
import type { WriteServices } from '../write-services';
import { deleteByRecord, deleteLater } from './delete-tweet';
import { addEntryWrite, addEntries, tookTooLong } from '../../kit/postings/unsealed';
import { arrivalWrite, isLateArrival } from '../../kit/subscriptions/late-arrivals';
import { LATE_TWEETS, postedTopics } from '../../features/live/topics';
import { newTweetEntry, tweetEntry, tweetIndexesIn } from '../../features/search/tweet-index';
import { buildIndexRemovals, buildIndexRows } from './index-rows';
import { buildThreadEntry } from './thread-entries';
import { buildTweetRemovals, tweetRows } from './tweet-rows';
import { refreshTweetCounts } from './tweet-counts';
import { deletedTweets, tweets, type StoredTweet } from '../../features/tweet/tweet.table';

/** A new tweet without its id, author and time. `rootId` is that of the tweet that it replies to; null if it is no reply. */
export type Draft = Omit<
  StoredTweet,
  'tweetId' | 'authorId' | 'createdAt' | 'sharedTweetId' | 'sharedAuthorId'
>;

/** The codes with which a draft is refused: what it names is not there, or a block is between the two authors. */
const REFUSALS: ReadonlySet<string> = new Set(['BAD_USER_INPUT', 'FORBIDDEN']);

/** A request to post a tweet. */
export interface TweetToPost {
  /** The caller's idempotency key. */
  readonly key: string | null;
  /** The caller's input, which must be the same for the same key. */
  readonly content: unknown;
  /** The tweet to reply to, as the caller names it: a share, perhaps. */
  readonly inReplyToId: string | null;
  /** The tweet to quote, likewise. */
  readonly quotedTweetId: string | null;
  /** Creates the tweet, or throws what is wrong with it. Called only if the key has not created a tweet before. */
  readonly draft: () => Promise<Draft>;
}

/** A tweet that was posted. */
interface PostedTweet {
  readonly tweet: StoredTweet;
  /** The counts of its author with it; null if they are not known. */
  readonly authorCounts: Row<typeof userCounts> | null;
}

/**
 * Posts a tweet. When this resolves, it is in all lists, also those of search, hashtags and places, and is counted for its author and the
 * tweets that it replies to and quotes. The frequency and the followers' timelines follow in the background. With the key of an earlier
 * call, returns the tweet of that call. Throws `BAD_USER_INPUT`, `CONFLICT` if the key came with other content before, `NOT_FOUND` if the
 * tweet of the key was deleted since, and `UNAVAILABLE` while the index of words has no room.
 */
export async function postTweet(
  writeServices: WriteServices,
  authorId: string,
  { key, content, inReplyToId, quotedTweetId, draft }: TweetToPost,
): Promise<PostedTweet> {
  tweetIndexesIn(writeServices.database).newest.requireRoom(authorId);
  const load = createLoad(writeServices.database);
  const fresh = writeServices.worker.nextId();
  let drafted: Promise<Draft> | undefined;
  const drafting = () => (drafted ??= draft());
  const tweetId =
    key === null ? fresh : await claimKey(writeServices.database, authorId, key, content, fresh, drafting);
  if (tweetId !== fresh) {
    const [posted, deleted] = await Promise.all([
      load(tweets.get, { tweetId }),
      load(deletedTweets.get, { tweetId }),
    ]);
    if (deleted)
      throw notFound(
        `Tweet ${encodeNodeId('Tweet', tweetId)}, which this idempotency key created, was deleted.`,
      );
    if (posted) {
      // The call that stored it may have been cut off before it counted it.
      await countPosted(writeServices, posted);
      return { tweet: posted, authorCounts: null };
    }
  }
  const identity = { tweetId, authorId, createdAt: timeOfId(tweetId) };
  try {
    const drafted = await drafting();
    const shares = { sharedTweetId: null, sharedAuthorId: null };
    return await storePosted(writeServices, {
      ...drafted,
      ...identity,
      ...shares,
      rootId: drafted.rootId ?? tweetId,
    });
  } catch (error) {
    // An earlier call may have stored the tweet although its write seemed to fail. A refused tweet must not exist.
    const refused = error instanceof ClientError && REFUSALS.has(String(error.extensions['code']));
    if (refused && tweetId !== fresh) {
      const language = (await createLoad(writeServices.database)(tweets.get, { tweetId }))?.language ?? null;
      await deleteByRecord(writeServices, {
        ...identity,
        inReplyToId,
        sharedTweetId: null,
        quotedTweetId,
        rootId: null,
        imported: false,
        language,
      });
    }
    throw error;
  }
}

/**
 * Stores a tweet with its indexes, counts it, and starts the work that the author does not wait for: frequency and fan-out. A task that has
 * the whole tweet is enqueued first, so that another server completes the work if this one is cut off. So the rows need no logged batch,
 * and are one batch with the author's count. Each row holds the whole text.
 */
export async function storePosted(writeServices: WriteServices, tweet: StoredTweet): Promise<PostedTweet> {
  const { outbox, database } = writeServices;
  const prepared = await outbox.prepareTask('post', encodePosted(tweet));
  const enqueued = outbox.enqueue(prepared);
  const before = readAuthorCounts(database, tweet.authorId);
  const store = async (counts: readonly Write[]) => {
    await storeRows(writeServices, tweet, counts);
    await publishPosted(writeServices, tweet);
  };
  let authorCounts: PostedTweet['authorCounts'];
  try {
    const count = await countPosted(writeServices, tweet, { enqueued, before, store });
    authorCounts = await before.then(
      ({ shown }) => ({ ...shown, tweets: count }),
      () => null,
    );
  } catch (error) {
    outbox.runInBackground(prepared.task);
    throw error;
  }
  // This does not wait for the task's turn: tweets of a minute that are counted at the same time share a transaction.
  const counted = countNewInTime(writeServices, tweet, added(tweet)).then(
    () => true,
    () => false,
  );
  const notified = notifyOfTweet(writeServices, tweet).then(
    () => true,
    () => false,
  );
  outbox.runInBackground(
    prepared.task,
    shortTask(work, async (_, task) => {
      // It may have been deleted before all of it was stored.
      if (!(await fanOut(writeServices, tweet.tweetId, task, authorCounts)))
        await removeRows(writeServices, tweet);
      await task.waitOutside(counted);
      if (!(await counted)) await countNewInTime(writeServices, tweet, added(tweet));
      await task.waitOutside(notified);
      if (!(await notified)) await notifyOfTweet(writeServices, tweet);
    }),
  );
  return { tweet, authorCounts };
}

/** Stores a tweet's rows, with its entry in the index of words, and counts that change with it. */
async function storeRows(
  writeServices: WriteServices,
  tweet: StoredTweet,
  counts: readonly Write[],
): Promise<void> {
  // If this server was held up until its lease ran out, another one may have run the task already.
  writeServices.worker.requireLease();
  const { writes: indexRows, listBuckets } = buildIndexRows(tweet);
  const entry = newTweetEntry(tweet);
  const addedAt = Date.now();
  const { newest } = tweetIndexesIn(writeServices.database);
  const addition = entry.terms.length === 0 ? [] : [addEntryWrite(newest, entry, addedAt)];
  await putRows(writeServices.bulk(), [
    { writes: [...tweetRows(tweet), ...addition, ...indexRows, ...counts], listBuckets },
  ]);
  let began = addedAt;
  for (let tries = 0; tries < MAX_ADDITIONS && tookTooLong(began, newest); tries++) {
    began = Date.now();
    await addToIndex(writeServices, tweet);
  }
}

/** Tells subscriptions of a tweet that was stored. If that took long, it is also recorded, because they look back for some seconds. */
async function publishPosted({ database, signals }: WriteServices, tweet: StoredTweet): Promise<void> {
  if (isLateArrival(timeOfId(tweet.tweetId))) {
    const { query, params } = arrivalWrite(LATE_TWEETS.list, LATE_TWEETS.owner, 'row', tweet.tweetId);
    await database.write(query, params);
  }
  signals.publish(postedTopics(tweet), tweet.tweetId);
}

/** How often a tweet is added again to an index whose entries are slow to store: more would slow down the database further. */
const MAX_ADDITIONS = 3;

/** Adds a tweet to the index of words. */
async function addToIndex(writeServices: WriteServices, tweet: StoredTweet): Promise<void> {
  const entry = tweetEntry(tweet);
  const { newest } = tweetIndexesIn(writeServices.database);
  if (entry.terms.length > 0)
    await addEntries(newest, [entry], (writes) => putAll(writeServices.bulk(), writes));
}

/**
 * The size of a posting's work. A late tweet is two rows for each follower. If there are more followers, the fan-out is long tasks of their
 * own.
 */
const work = { rows: 2 * CHUNK_FOLLOWERS, person: ({ authorId }: Payload) => authorId };

/** Completes a posting that was interrupted, and its fan-out. */
export function postHandler(writeServices: WriteServices): DeclaredHandler {
  return shortTask(work, async (payload, task) => {
    const { tweetId = '' } = payload;
    const stored = await createLoad(writeServices.database)(tweets.get, { tweetId });
    const tweet = stored ?? decodePosted(payload);
    if (stored === null && (await isDeleted(writeServices, tweetId))) return removeRows(writeServices, tweet);
    if (!(await isWanted(writeServices, tweet))) {
      // It may be counted although its row is not stored.
      await deleteLater(writeServices, { ...tweet, imported: false });
      return removeRows(writeServices, tweet);
    }
    if (!task.isSettled) await storeAgain(writeServices, tweet);
    await countInTime(writeServices, tweet, added(tweet));
    await publishPosted(writeServices, tweet);
    await notifyOfTweet(writeServices, tweet);
    await fanOut(writeServices, tweetId, task);
    // A deletion that found no tweet records itself and looks again, so one of the two sees the other.
    if (await isDeleted(writeServices, tweetId)) await removeRows(writeServices, tweet);
  });
}

/** Removes the rows of a deleted tweet. Some of them may be there without its own row, which names them. */
async function removeRows(writeServices: WriteServices, tweet: StoredTweet): Promise<void> {
  const at = finalTime(tweet.createdAt);
  await takeBackTweet(writeServices, tweet);
  await putAll(writeServices.bulk(), [
    ...buildIndexRemovals(tweet, at),
    ...buildTweetRemovals(tweet, at),
    ...buildThreadEntry(tweet, { isGone: true }),
  ]);
}

async function isDeleted({ database }: WriteServices, tweetId: string): Promise<boolean> {
  return (await createLoad(database)(deletedTweets.get, { tweetId })) !== null;
}

/** Stores and counts what `storePosted` may have been cut off from. */
async function storeAgain(writeServices: WriteServices, tweet: StoredTweet): Promise<void> {
  await putAll(writeServices.bulk(), tweetRows(tweet));
  await Promise.all([
    putRows(writeServices.bulk(), [buildIndexRows(tweet)]),
    addToIndex(writeServices, tweet),
    countPosted(writeServices, tweet),
  ]);
}

/** Whether a tweet should exist: false for a share that was removed, or whose original was deleted, before it was stored. */
async function isWanted(
  { database, tally }: WriteServices,
  { tweetId, authorId, sharedTweetId }: StoredTweet,
): Promise<boolean> {
  if (sharedTweetId === null) return true;
  const deleted = await createLoad(database)(deletedTweets.get, { tweetId: sharedTweetId });
  const membership = await tally.membership(sharedTweetId, 'shares', authorId);
  return deleted === null && membership?.present === true && membership.item === tweetId;
}

/** The steps of counting a tweet while it is stored. */
interface CountWhileStoring {
  /** Resolves when its task is stored. */
  readonly enqueued: Promise<void>;
  /** The counts of the author before. */
  readonly before: ReturnType<typeof readAuthorCounts>;
  /** Stores the tweet, with the writes that show the author's count. */
  readonly store: (counts: readonly Write[]) => Promise<void>;
}

/**
 * Counts a tweet for its author and for the tweets that it replies to and quotes, and shows the counts. Repeating it changes nothing. Resolves
 * to how many tweets were added to the author's list.
 */
export async function countPosted(
  writeServices: WriteServices,
  tweet: StoredTweet,
  whileStoring: CountWhileStoring | null = null,
): Promise<number> {
  const { tally } = writeServices;
  const { authorId, inReplyToId, quotedTweetId } = tweet;
  const change = { member: tweet.tweetId, ...added(tweet) };
  const makeChange = async (one: Change, ahead: Ahead | undefined) => {
    await whileStoring?.enqueued;
    return tally.change(one, ahead);
  };
  const countForAuthor = async () => {
    const one = tweetsChange({ owner: authorId, ...change });
    const ahead = whileStoring
      ? tally.guessAhead(
          one,
          whileStoring.before.then(({ tweets: ofAuthor }) => ofAuthor),
        )
      : tally.readAhead(one);
    const { ofShard } = await makeChange(one, ahead);
    const counts = tweetCountWrites(authorId, ofShard);
    await (whileStoring ? whileStoring.store(counts) : putAll(writeServices.bulk(), counts));
    return ofShard.count;
  };
  const countedForAuthor = countForAuthor();
  const countForTweet = async (owner: string, list: string) => {
    const one = { owner, list, ...change };
    await Promise.all([makeChange(one, tally.readAhead(one)), countedForAuthor]);
    await refreshTweetCounts(writeServices, owner);
  };
  const [count] = await Promise.all([
    countedForAuthor,
    inReplyToId !== null && countForTweet(inReplyToId, 'replies'),
    quotedTweetId !== null && countForTweet(quotedTweetId, 'quotes'),
  ]);
  return count;
}

/** The change of a tally by which a tweet is added to a list. */
function added({ createdAt }: StoredTweet) {
  return { present: true, at: createdAt };
}
/** A tweet as JSON has it. */
type JsonTweet = Omit<StoredTweet, 'createdAt'> & { readonly createdAt: string };

/** The payload of the task `postTweet` of a tweet, from which any server can store it. */
export function encodePosted(tweet: StoredTweet): Record<string, string> {
  return { tweetId: tweet.tweetId, authorId: tweet.authorId, tweet: JSON.stringify(tweet) };
}

/** The tweet in such a payload. */
export function decodePosted({ tweet = '' }: Readonly<Record<string, string>>): StoredTweet {
  const json = JSON.parse(tweet) as JsonTweet;
  return { ...json, createdAt: new Date(json.createdAt) };
}
