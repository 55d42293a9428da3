import type { followersByUser } from '../../features/follow/follow.lists';
import { pulledByUser } from '../../features/follow/follow.table';
import type { Relation } from '../../features/follow/relation';
import type { Database, Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import type { WriteServices } from '../write-services';
import { ALL_FOLLOWERS, followerBoundary, followerPages, type FollowerRange } from './author-pages';

/**
 * The way in which an author's tweets get into timelines: pushed to each (fan-out on write), or pulled when one is read (fan-out on read).
 * While the mode changes, both ways work, so that no timeline misses a tweet.
 */
export interface Mode {
  readonly mode: 'push' | 'toPull' | 'pull' | 'toPush';
  /** Grows with each change between push and pull. */
  readonly version: number;
  /** Whether the author is pulled because the servers fell behind, and stays so for now. */
  readonly isShed: boolean;
  /** When the author was pulled for the last time, so that nothing was pushed any more; null if that is not known. */
  readonly pulledAt: Date | null;
}

/** The mode of an author who was never anything else. */
export const ALWAYS_PUSHED: Mode = { mode: 'push', version: 0, isShed: false, pulledAt: null };

/** A pulled author is pushed again below this fraction of the push limit, so that one follower cannot toggle the mode. */
const PUSH_AGAIN_RATIO = 0.8;
/** The most changes of mode: versions are microseconds within the millisecond of a relation, see `pullTime`. */
const MAX_VERSION = 998;
/** How long, in milliseconds, an author stays pulled for whom the servers had no time. */
const SHED_FOR_MS = 86_400_000;

const read = 'SELECT mode, version, shed_until, pulled_at FROM fanout_modes WHERE author_id = ?';
const change =
  'UPDATE fanout_modes SET mode = ?, version = ?, shed_until = ?, pulled_at = ? WHERE author_id = ? IF version = ? AND mode = ?';

/** Reads the fan-out mode of an author. */
export async function readMode(
  { database }: Pick<WriteServices, 'database'>,
  authorId: string,
): Promise<Mode> {
  return modeIn(await database.read(read, [authorId]));
}

function modeIn(rows: readonly object[]): Mode {
  const row = rows[0] as ModeRow | undefined;
  const isShed = (row?.shed_until?.getTime() ?? 0) > Date.now();
  return { mode: row?.mode ?? 'push', version: row?.version ?? 0, isShed, pulledAt: row?.pulled_at ?? null };
}

interface ModeRow extends Partial<Pick<Mode, 'mode' | 'version'>> {
  readonly shed_until: Date | null;
  readonly pulled_at: Date | null;
}

/** The services by which tweets are written to timelines. */
export type Pushing = Pick<WriteServices, 'database' | 'bulk' | 'pushLimit' | 'retentionMonths'>;

/** Begins to change an author's mode, if the number of followers requires it. Resolves to the mode after that. */
export function beginMode(pushing: Pushing, authorId: string, followers: number): Promise<Mode> {
  return changeMode(pushing, authorId, (now) => chooseTarget(now, followers, pushing.pushLimit));
}

/** Begins to pull an author for a day, because the servers are behind. Resolves to the mode after that. */
export function beginShedding(pushing: Pushing, authorId: string): Promise<Mode> {
  const until = new Date(Date.now() + SHED_FOR_MS);
  return changeMode(pushing, authorId, ({ mode }) => (mode === 'push' ? 'toPull' : null), until);
}

/** The mode that begins the change that is due; null when none is due. */
export function chooseTarget(
  { mode, isShed, version }: Mode,
  followers: number,
  limit: number,
): 'toPull' | 'toPush' | null {
  if (mode === 'push' && followers > limit && version < MAX_VERSION) return 'toPull';
  // The last change is one to pull, which is right for any number of followers.
  const mayPush = !isShed && version < MAX_VERSION - 1;
  if (mode === 'pull' && mayPush && followers < limit * PUSH_AGAIN_RATIO) return 'toPush';
  return null;
}

/** Changes an author's mode to what `next` says; null leaves it. Resolves to the mode after that. */
export function changeMode(
  { database }: Pick<WriteServices, 'database'>,
  authorId: string,
  next: (now: Mode) => Mode['mode'] | null,
  shedUntil?: Date,
): Promise<Mode> {
  return decideUntilWritten(database, { cql: read, params: [authorId] }, (rows) => {
    const row = rows[0] as ModeRow | undefined;
    const now = modeIn(rows);
    const to = next(now);
    const begins = to === 'toPull' || to === 'toPush';
    if (to === null || (begins && now.version >= MAX_VERSION)) return { writes: [], result: now };
    const version = begins ? now.version + 1 : now.version;
    const pulledAt = to === 'pull' ? new Date() : now.pulledAt;
    const params = [to, version, shedUntil, pulledAt, authorId, row?.version ?? null, row?.mode ?? null];
    const isShed = now.isShed || shedUntil !== undefined;
    return { writes: [{ query: change, params }], result: { mode: to, version, isShed, pulledAt } };
  });
}

/** The write of a pulled author in `pulled_by_user`; `pulledVersion` is what `pulledSince` returned. */
export function pullingOf(
  userId: string,
  authorId: string,
  { at }: Pick<Relation, 'at'>,
  { version }: Mode,
  pulledVersion: number | null = null,
): Write {
  return writeOf(
    pulledByUser,
    { userId, authorId, pulled: true, sinceVersion: pulledVersion },
    { at: pullTime(at, version) },
  );
}

/** The write that records in a user's timeline that `pulled_by_user` may have rows of the user: it must be stored before they are. */
export function mergedFlagWrite(userId: string): Write {
  const query = 'UPDATE timelines_by_user SET is_merged = true WHERE user_id = ? AND bucket = 0';
  return { query, params: [userId], partition: `${userId} 0` };
}

/** Stores that write. */
export async function setMergedFlag(database: Database, userId: string): Promise<void> {
  const { query, params } = mergedFlagWrite(userId);
  await database.write(query, params);
}

/** The write that removes a row which an earlier follow or unfollow left in `pulled_by_user`. Rows of this relation have later times. */
export function pullRemovalWrite(userId: string, authorId: string, { at }: Pick<Relation, 'at'>): Write {
  return removalOf(pulledByUser, { userId, authorId }, pullTime(at, 0));
}

/** The write time of a row of `pulled_by_user`, in microseconds: the millisecond of the relation's last change, then the version of the mode. */
export function pullTime(at: Date | null, version: number): number {
  return Math.max(Number(at), 1) * 1000 + version;
}

/**
 * Yields the followers of an author to whom tweets may be pushed, newest first, in pages; ends when the author is pulled. `mode` was read
 * before, or assumed. A page is yielded only if it was read while the author was pushed: the mode is read after each page, and if it is
 * another one, the page is read again. `noteMode` is told each mode that is read. So nothing is pushed to a user who followed and
 * unfollowed the author while the author was pulled.
 */
export async function* readPushedFollowers(
  writeServices: Pick<WriteServices, 'database'>,
  authorId: string,
  mode: Mode,
  { from, to }: FollowerRange = ALL_FOLLOWERS,
  noteMode: (mode: Mode) => void = () => undefined,
): AsyncIterable<readonly Row<typeof followersByUser>[]> {
  let [known, position] = [mode, from];
  for (let isDone = known.mode === 'pull'; !isDone;) {
    isDone = true;
    for await (const page of followerPages(writeServices, authorId, { from: position, to })) {
      const now = await readMode(writeServices, authorId);
      noteMode(now);
      if (now.mode === 'pull') return;
      // If the version is another one, the author may have been pulled in between.
      isDone = now.version === known.version;
      known = now;
      if (!isDone) break;
      yield page;
      const last = page.at(-1);
      if (last !== undefined) position = followerBoundary(last);
    }
  }
}
