import { followerCountOf } from '../user/user-counts';
import { pulledByUser, type followersByUser } from '../../follow/follow.table';
import type { Relation } from '../../follow/relation';
import type { Database, Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import { removalOf, writeOf } from '../../kit/data/write';
import { longTask, type Handler } from '../../kit/work/handler';
import type { Task } from '../../kit/work/outbox.table';
import type { WriteContext } from '../write-context';
import { eraseFromTimeline, timelineInserterOf, readerOf } from './timeline-rows';
import { monthsAgo } from '../../timeline/retention';
import { deletedOf, followersOf, tweetsOf, type FollowerPosition } from './author-pages';

/**
 * How an author's tweets get into timelines: pushed to each (fan-out on write), or pulled when one is read (fan-out on
 * read). While the mode changes, both ways work, so that no timeline misses a tweet.
 */
export interface Mode {
  readonly mode: 'push' | 'toPull' | 'pull' | 'toPush';
  /** Grows with each change between push and pull. */
  readonly version: number;
}

/** A pulled author is pushed again below this fraction of the push limit, so that one follower cannot toggle the mode. */
const PUSH_AGAIN_RATIO = 0.8;
/** The most changes of mode: versions are microseconds within the millisecond of a relation, see `pullTime`. */
const MAX_VERSION = 998;
/** How old, in milliseconds, the known list of pending tasks may be. */
const MAX_PENDING_AGE_MS = 10_000;

const read = 'SELECT mode, turn AS version FROM fanout_modes WHERE author_id = ?';
const change = 'UPDATE fanout_modes SET mode = ?, turn = ? WHERE author_id = ? IF turn = ? AND mode = ?';

/** Reads the fan-out mode of an author. */
export async function modeOf({ database }: Pick<WriteContext, 'database'>, authorId: string): Promise<Mode> {
  return modeIn(await database.read(read, [authorId]));
}

function modeIn(rows: readonly object[]): Mode {
  const row = rows[0] as Partial<Mode> | undefined;
  return { mode: row?.mode ?? 'push', version: row?.version ?? 0 };
}

/** What writing tweets to timelines needs. */
export type Pushing = Pick<WriteContext, 'database' | 'bulk' | 'pushLimit' | 'retentionMonths'>;

/**
 * Changes an author's mode in the background, if the number of followers requires it. Also completes a change that has no
 * task, which an import leaves when it is killed.
 */
export async function adjustMode(writeContext: WriteContext, authorId: string): Promise<void> {
  const followers = await followerCountOf(writeContext.database, authorId);
  const { mode } = await modeOf(writeContext, authorId);
  const isAbandoned = (mode === 'toPull' || mode === 'toPush') && !(await hasTask(writeContext, authorId));
  if (!isAbandoned && targetOf(mode, followers, writeContext.pushLimit) === null) return;
  await writeContext.outbox.enqueueAndRun(
    'mode',
    { authorId },
    () => beginMode(writeContext, authorId, followers),
    () => modeHandler(writeContext),
  );
}

/** Whether the outbox has a task that changes an author's mode, of any server. */
async function hasTask({ outbox }: WriteContext, authorId: string): Promise<boolean> {
  const isOfAuthor = ({ kind, payload }: Task) => kind === 'mode' && payload === JSON.stringify({ authorId });
  // While a change goes on, the list that was read a moment ago usually has its task.
  return (
    (await outbox.pending(MAX_PENDING_AGE_MS)).some(isOfAuthor) || (await outbox.pending()).some(isOfAuthor)
  );
}

/** Begins to change an author's mode, if the number of followers requires it. Resolves to the mode after that. */
export function beginMode(pushing: Pushing, authorId: string, followers: number): Promise<Mode> {
  return changeMode(pushing, authorId, ({ mode }) => targetOf(mode, followers, pushing.pushLimit));
}

/** The mode that begins the change that is due; null when none is due. */
function targetOf(mode: Mode['mode'], followers: number, limit: number): 'toPull' | 'toPush' | null {
  if (mode === 'push' && followers > limit) return 'toPull';
  if (mode === 'pull' && followers < limit * PUSH_AGAIN_RATIO) return 'toPush';
  return null;
}

function changeMode(
  { database }: Pick<WriteContext, 'database'>,
  authorId: string,
  next: (now: Mode) => Mode['mode'] | null,
): Promise<Mode> {
  return decideUntilWritten(database, { cql: read, params: [authorId] }, (rows) => {
    const row = rows[0] as Partial<Mode> | undefined;
    const now = modeIn(rows);
    const to = next(now);
    const begins = to === 'toPull' || to === 'toPush';
    if (to === null || (begins && now.version >= MAX_VERSION)) return { writes: [], result: now };
    const version = begins ? now.version + 1 : now.version;
    const query = { query: change, params: [to, version, authorId, row?.version ?? null, row?.mode ?? null] };
    return { writes: [query], result: { mode: to, version } };
  });
}

/** The write that marks an author as pulled in a follower's timeline; `sinceTurn` is what `pulledSince` returned. */
export function pullingOf(
  userId: string,
  authorId: string,
  { at }: Pick<Relation, 'at'>,
  { version }: Mode,
  sinceTurn: number | null = null,
): Write {
  return writeOf(pulledByUser, { userId, authorId, pulled: true, sinceTurn }, { at: pullTime(at, version) });
}

/** The write that records in a user's timeline that `pulled_by_user` may have rows of the user: it must be stored before they are. */
export function timelineMarkOf(userId: string): Write {
  const query = 'UPDATE timelines_by_user SET has_marks = true WHERE user_id = ? AND bucket = 0';
  return { query, params: [userId], partition: `${userId} 0` };
}

/** Stores that write. */
export async function markTimeline(database: Database, userId: string): Promise<void> {
  const { query, params } = timelineMarkOf(userId);
  await database.write(query, params);
}

/** The write that removes a mark which an earlier follow or unfollow left. Marks of this relation have later times. */
export function unmarkingOf(userId: string, authorId: string, { at }: Pick<Relation, 'at'>): Write {
  return removalOf(pulledByUser, { userId, authorId }, pullTime(at, 0));
}

/** The write time of a mark, in microseconds: the millisecond of the relation's last change, then the version of the mode. */
function pullTime(at: Date | null, version: number): number {
  return Math.max(Number(at), 1) * 1000 + version;
}

/** Completes a change of mode, then begins another one if that has become due. */
export function modeHandler(writeContext: WriteContext): Handler {
  return longTask(async ({ authorId = '' }) => {
    await finishMode(writeContext, authorId);
    await adjustMode(writeContext, authorId);
  });
}

/** Completes a change of mode; does nothing if none has begun. */
export async function finishMode(pushing: Pushing, authorId: string): Promise<void> {
  const now = await modeOf(pushing, authorId);
  const isUnchanged = ({ mode, version }: Mode) => mode === now.mode && version === now.version;
  if (now.mode === 'toPull') {
    await startPulling(pushing, authorId, now);
    await changeMode(pushing, authorId, (mode) => (isUnchanged(mode) ? 'pull' : null));
  } else if (now.mode === 'toPush') {
    await pushAll(pushing, authorId, now);
    await stopPulling(pushing, authorId, now);
    await changeMode(pushing, authorId, (mode) => (isUnchanged(mode) ? 'push' : null));
  }
}

/** Marks an author as pulled in the timelines of all followers. */
export async function startPulling(pushing: Pushing, authorId: string, mode: Mode): Promise<void> {
  const bulk = pushing.bulk();
  for await (const page of followersOf(pushing, authorId)) {
    for (const { followerId } of page) await bulk.put(timelineMarkOf(followerId));
    await bulk.flush();
    for (const { followerId, followedAt } of page)
      await bulk.put(pullingOf(followerId, authorId, { at: followedAt }, mode));
  }
  await bulk.flush();
}

async function stopPulling(pushing: Pushing, authorId: string, { version }: Mode): Promise<void> {
  const bulk = pushing.bulk();
  for await (const page of followersOf(pushing, authorId)) {
    for (const { followerId, followedAt } of page)
      await bulk.put(
        removalOf(pulledByUser, { userId: followerId, authorId }, pullTime(followedAt, version)),
      );
  }
  await bulk.flush();
}

/**
 * The followers of an author to whom tweets may be pushed, newest first, in pages; ends when the author is pulled. `mode`
 * was read before. A page is yielded only if it was read while the author was pushed: the mode is read again after each
 * page, and if it has changed, so is the page. So nothing is pushed to a user who followed and unfollowed the author while
 * the author was pulled.
 */
export async function* pushedFollowersOf(
  writeContext: Pick<WriteContext, 'database'>,
  authorId: string,
  mode: Mode,
  from: FollowerPosition | null = null,
): AsyncIterable<readonly Row<typeof followersByUser>[]> {
  let [known, position] = [mode, from];
  for (let isWhole = known.mode === 'pull'; !isWhole;) {
    isWhole = true;
    for await (const page of followersOf(writeContext, authorId, position)) {
      const now = await modeOf(writeContext, authorId);
      if (now.mode === 'pull') return;
      // If the version is another one, the author may have been pulled in between.
      isWhole = now.version === known.version;
      known = now;
      if (!isWhole) break;
      yield page;
      position = page.at(-1) ?? position;
    }
  }
}

/** Writes an author's tweets within the retention to the timelines of all followers, and erases deleted tweets from them. */
async function pushAll(pushing: Pushing, authorId: string, mode: Mode): Promise<void> {
  const since = monthsAgo(pushing.retentionMonths);
  const bulk = pushing.bulk();
  // Followers are read after the tweets, so an unfollow that comes later removes these tweets again.
  for await (const tweets of tweetsOf(pushing, authorId, since)) {
    const inserters = tweets.map((tweet) => timelineInserterOf(tweet, pushing.retentionMonths));
    for await (const followers of pushedFollowersOf(pushing, authorId, mode)) {
      for (const reader of followers.map(readerOf))
        for (const insert of inserters) await insert(bulk, reader);
    }
  }
  for await (const deleted of deletedOf(pushing, authorId, since)) {
    for await (const followers of followersOf(pushing, authorId)) {
      for (const reader of followers.map(readerOf))
        for (const tweet of deleted) await eraseFromTimeline(bulk, tweet, reader);
    }
  }
  await bulk.flush();
}
