import { followerCountOf } from '../user/user-counts';
import { pulledByUser, type followersByUser } from '../../follow/follow.table';
import type { Relation } from '../../follow/relation';
import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import { removalOf, writeOf } from '../../kit/data/write';
import { longTask, type Handler } from '../../kit/work/handler';
import type { Task } from '../../kit/work/outbox.table';
import type { WriteContext } from '../write-context';
import { eraseFromTimeline, timelineInserterOf, readerOf } from './timeline-rows';
import { monthsAgo } from '../../timeline/retention';
import { deletedOf, followersOf, tweetsOf, type FollowerPosition } from './walk';
import { monthOf } from '../../kit/data/buckets';

/**
 * How an author's tweets come into timelines: pushed into each, or merged in when one is read; or both, while it changes
 * from the one to the other, so that a timeline has them in any case.
 */
export interface Mode {
  readonly mode: 'push' | 'toPull' | 'pull' | 'toPush';
  /** Grows with each change from push or pull to the other. */
  readonly version: number;
}

/** An author goes back to being pushed below this part of the push limit, so that one follower more or less changes nothing. */
const PUSH_AGAIN_RATIO = 0.8;
/** A relation's own time has room for this many changes of mode. */
const MAX_VERSION = 998;
/** How old, in milliseconds, what is known of other servers' work may be. */
const MAX_PENDING_AGE_MS = 10_000;

const read = 'SELECT mode, turn AS version FROM fanout_modes WHERE author_id = ?';
const change = 'UPDATE fanout_modes SET mode = ?, turn = ? WHERE author_id = ? IF turn = ? AND mode = ?';

/** How an author's tweets come into timelines now. */
export async function modeOf({ database }: Pick<WriteContext, 'database'>, authorId: string): Promise<Mode> {
  return modeIn(await database.read(read, [authorId]));
}

function modeIn(rows: readonly object[]): Mode {
  const row = rows[0] as Partial<Mode> | undefined;
  return { mode: row?.mode ?? 'push', version: row?.version ?? 0 };
}

/** What bringing tweets into timelines needs. */
export type Pushing = Pick<WriteContext, 'database' | 'bulk' | 'pushLimit' | 'retentionMonths'>;

/**
 * Changes an author's mode, behind the caller, where the number of followers asks for it; and ends a change that nobody
 * is at work on, as an import leaves it that was killed.
 */
export async function adjustMode(writeContext: WriteContext, authorId: string): Promise<void> {
  const followers = await followerCountOf(writeContext.database, authorId);
  const { mode } = await modeOf(writeContext, authorId);
  const isLeft = (mode === 'toPull' || mode === 'toPush') && !(await hasTask(writeContext, authorId));
  if (!isLeft && targetOf(mode, followers, writeContext.pushLimit) === null) return;
  await writeContext.outbox.enqueueAndRun(
    'mode',
    { authorId },
    () => beginMode(writeContext, authorId, followers),
    () => modeHandler(writeContext),
  );
}

/** Whether a server is at work on an author's mode, or has left that to others. */
async function hasTask({ outbox }: WriteContext, authorId: string): Promise<boolean> {
  const isIts = ({ kind, payload }: Task) => kind === 'mode' && payload === JSON.stringify({ authorId });
  // While a change goes on, what was read a moment ago mostly shows it.
  return (await outbox.pending(MAX_PENDING_AGE_MS)).some(isIts) || (await outbox.pending()).some(isIts);
}

/** Begins to change an author's mode where the number of followers asks for it. */
export function beginMode(pushing: Pushing, authorId: string, followers: number): Promise<Mode> {
  return changeMode(pushing, authorId, ({ mode }) => targetOf(mode, followers, pushing.pushLimit));
}

/** The first step of the change that is due; null when none is. */
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

/** The write that has an author's tweets merged into a follower's timeline; `sinceTurn` is what `pulledSince` gave. */
export function pullingOf(
  userId: string,
  authorId: string,
  { at }: Pick<Relation, 'at'>,
  { version }: Mode,
  sinceTurn: number | null = null,
): Write {
  return writeOf(pulledByUser, { userId, authorId, pulled: true, sinceTurn }, { at: pullTime(at, version) });
}

/** The write that takes away what an earlier following or unfollowing left of such a mark: before any that this one gets. */
export function unmarkingOf(userId: string, authorId: string, { at }: Pick<Relation, 'at'>): Write {
  return removalOf(pulledByUser, { userId, authorId }, pullTime(at, 0));
}

/** As of when, in microseconds: within the millisecond in which the relation began, by turns of the mode. */
function pullTime(at: Date | null, version: number): number {
  return Math.max(Number(at), 1) * 1000 + version;
}

/** Brings a change of mode to its end, and begins another one that has become due. */
export function modeHandler(writeContext: WriteContext): Handler {
  return longTask(async ({ authorId = '' }) => {
    await finishMode(writeContext, authorId);
    await adjustMode(writeContext, authorId);
  });
}

/** Brings a change of mode to its end. */
export async function finishMode(pushing: Pushing, authorId: string): Promise<void> {
  const now = await modeOf(pushing, authorId);
  const isStill = ({ mode, version }: Mode) => mode === now.mode && version === now.version;
  if (now.mode === 'toPull') {
    await startPulling(pushing, authorId, now);
    await changeMode(pushing, authorId, (mode) => (isStill(mode) ? 'pull' : null));
  } else if (now.mode === 'toPush') {
    await pushAll(pushing, authorId, now);
    await stopPulling(pushing, authorId, now);
    await changeMode(pushing, authorId, (mode) => (isStill(mode) ? 'push' : null));
  }
}

/** Has an author's tweets merged into the timelines of all followers. */
export async function startPulling(pushing: Pushing, authorId: string, mode: Mode): Promise<void> {
  const bulk = pushing.bulk();
  for await (const page of followersOf(pushing, authorId)) {
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
 * The followers of an author to whom tweets may be pushed, newest first, in pages, while the author is not pulled. `mode` was
 * read before. Each page is one that was read while the author was pushed: the mode is read again after it, and where it
 * has changed, so is the page. So nobody gets a tweet pushed who began to follow, and stopped, while the author was pulled.
 */
export async function* pushedFollowersOf(
  writeContext: Pick<WriteContext, 'database'>,
  authorId: string,
  mode: Mode,
  from: FollowerPosition | null = null,
): AsyncIterable<readonly Row<typeof followersByUser>[]> {
  let [known, place] = [mode, from];
  for (let isWhole = known.mode === 'pull'; !isWhole;) {
    isWhole = true;
    for await (const page of followersOf(writeContext, authorId, place)) {
      const now = await modeOf(writeContext, authorId);
      if (now.mode === 'pull') return;
      // Of another turn: in between the author may have been pulled.
      isWhole = now.version === known.version;
      known = now;
      if (!isWhole) break;
      yield page;
      place = page.at(-1) ?? place;
    }
  }
}

/** Puts all tweets of an author that are young enough into the timelines of all followers, and takes the deleted ones out. */
async function pushAll(pushing: Pushing, authorId: string, mode: Mode): Promise<void> {
  const since = monthsAgo(pushing.retentionMonths);
  const oldest = since === null ? 0 : monthOf(since);
  const bulk = pushing.bulk();
  // Followers are read after the tweets that they get: who stops following later has them taken out again.
  for await (const tweets of tweetsOf(pushing, authorId, oldest)) {
    const placers = tweets.map((tweet) => timelineInserterOf(tweet, pushing.retentionMonths));
    for await (const followers of pushedFollowersOf(pushing, authorId, mode)) {
      for (const reader of followers.map(readerOf)) for (const place of placers) await place(bulk, reader);
    }
  }
  for await (const deleted of deletedOf(pushing, authorId, oldest)) {
    for await (const followers of followersOf(pushing, authorId)) {
      for (const reader of followers.map(readerOf))
        for (const tweet of deleted) await eraseFromTimeline(bulk, tweet, reader);
    }
  }
  await bulk.flush();
}
