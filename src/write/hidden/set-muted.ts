import { createHash } from 'node:crypto';
import type { HiddenSet } from '../../features/hidden/sight/sight';
import { isOver, setIn } from '../../features/hidden/sight/sight';
import type { Mute } from '../../context';
import {
  HIDDEN,
  hiddenByUser,
  MAX_BLOCKED,
  MAX_HIDDEN_ROWS,
  MAX_MUTED,
  MAX_MUTED_THREADS,
  MAX_MUTED_WORDS,
  MAX_THREAD_ROWS,
  threadTarget,
} from '../../features/hidden/hidden.table';
import { badInput } from '../../kit/base/errors';
import type { Database } from '../../kit/cassandra/database';
import type { NewRowOf } from '../../kit/cassandra/table';
import { removalOf, ttlOf, writeOf } from '../../kit/cassandra/write';
import { createLoad } from '../../kit/reads/load';

/** How much later than its end a row expires, in seconds: clocks differ. */
const TTL_SLACK_SECONDS = 3600;

/**
 * How many tombstones a row leaves when it has expired: one for each of its columns. Each counts as a deletion, because a user whose
 * partition has 100,000 of them can read nothing for days.
 */
export const TOMBSTONES = { ofEnd: 3, ofMute: 4, ofWord: 6 } as const;

/** The end of a mute, and the places where it hides; null: never, and everywhere. `at` is its beginning, now by default. */
interface Extent {
  readonly at?: Date;
  readonly until: Date | null;
  readonly scope: readonly string[] | null;
}

/** A muted word, as it is stored. */
interface NewWord extends Extent {
  readonly text: string;
  /** The key of the word: equal words have the same. */
  readonly key: string;
  readonly exceptFollowed: boolean;
}

/** Reads what is hidden from a user, as it is stored now. */
export async function readHidden(database: Database, userId: string): Promise<HiddenSet> {
  const load = createLoad(database);
  return setIn(await load(hiddenByUser.page, { viewerId: userId, limit: MAX_HIDDEN_ROWS }));
}

/** Throws `BAD_USER_INPUT` if a user blocks as many others as one may; blocks at the same moment may pass that by a few. */
export function requireRoomForBlock({ blocked }: HiddenSet, userId: string): void {
  if (blocked.size < MAX_BLOCKED || blocked.has(userId)) return;
  throw badInput(`A user can block at most ${MAX_BLOCKED} others, and this one already blocks that many.`);
}

/**
 * Mutes a user, or changes what an earlier mute hides and when it ends. One that is moved from another user is in place of that, so no limit
 * refuses it.
 */
export async function mute(
  database: Database,
  viewerId: string,
  targetId: string,
  { until, scope, at = new Date() }: Extent,
  { isMoved = false } = {},
): Promise<void> {
  const { set, change, isFull } = await open(database, { viewerId, kind: HIDDEN.mute, targetId });
  const known = lasting(set.mutes.get(targetId));
  if (isMoved) return change({ hiddenAt: known?.at ?? at, until, scope });
  if (isFull(2 * MAX_MUTED)) throw tooManyEnded('mutes', 2 * MAX_MUTED);
  if (known === undefined && countHeld(set.mutes.values()) >= MAX_MUTED)
    throw badInput(`A user can mute at most ${MAX_MUTED} others, and this one already mutes that many.`);
  await change({ hiddenAt: known?.at ?? at, until, scope });
}

/** Ends the mute of a user. Resolves to whether there was one. */
export async function unmute(database: Database, viewerId: string, targetId: string): Promise<boolean> {
  const { set, change } = await open(database, { viewerId, kind: HIDDEN.mute, targetId });
  const known = set.mutes.get(targetId);
  if (known) await change({ hiddenAt: known.at, ended: true });
  return known !== undefined;
}

/** Mutes words, or changes where the same words are hidden and until when. Resolves to their id. */
export async function muteWords(
  database: Database,
  viewerId: string,
  { text, key, until, scope, exceptFollowed, at = new Date() }: NewWord,
): Promise<string> {
  const targetId = wordIdOf(key);
  const { set, change, isFull } = await open(database, { viewerId, kind: HIDDEN.word, targetId });
  const known = lasting(set.words.find(({ id }) => id === targetId));
  if (isFull(2 * MAX_MUTED_WORDS)) throw tooManyEnded('muted words', 2 * MAX_MUTED_WORDS);
  if (known === undefined && countHeld(set.words) >= MAX_MUTED_WORDS)
    throw badInput(
      `A user can have at most ${MAX_MUTED_WORDS} muted words, and this one already has that many.`,
    );
  await change({ hiddenAt: known?.at ?? at, until, scope, exceptFollowed, words: text });
  return targetId;
}

/** Removes a muted word. Resolves to whether it was there. */
export async function unmuteWords(database: Database, viewerId: string, wordId: string): Promise<boolean> {
  const { set, change } = await open(database, { viewerId, kind: HIDDEN.word, targetId: wordId });
  const known = set.words.find(({ id }) => id === wordId);
  if (known) await change({ hiddenAt: known.at, ended: true });
  return known !== undefined;
}

/** Hides the notifications of a thread from a user. Resolves to whether they were shown before. */
export async function muteThread(
  database: Database,
  viewerId: string,
  rootId: string,
  at = new Date(),
): Promise<boolean> {
  const { set, change, isFull } = await open(database, threadKey(viewerId, rootId));
  if (set.mutedThreads.has(rootId)) return false;
  if (isFull(MAX_THREAD_ROWS)) throw tooManyEnded('muted threads', MAX_THREAD_ROWS);
  if (set.mutedThreads.size >= MAX_MUTED_THREADS)
    throw badInput(`A user can mute at most ${MAX_MUTED_THREADS} threads, and this one mutes that many.`);
  await change({ hiddenAt: at });
  return true;
}

/** Shows the notifications of a thread again. Resolves to whether they were hidden. */
export async function unmuteThread(database: Database, viewerId: string, rootId: string): Promise<boolean> {
  const { set, change } = await open(database, threadKey(viewerId, rootId));
  const isMuted = set.mutedThreads.has(rootId);
  if (isMuted) await change({ hiddenAt: new Date(), ended: true });
  return isMuted;
}

function threadKey(viewerId: string, rootId: string): HiddenKey {
  return { viewerId, kind: HIDDEN.thread, targetId: threadTarget(rootId) };
}

/** A mute, or a muted word, unless it has ended: its row stays for a while, but muting again begins anew. */
function lasting<T extends Pick<Mute, 'until'>>(one: T | undefined): T | undefined {
  return one === undefined || isOver(one) ? undefined : one;
}

/** How many of some mutes, or muted words, have not ended. */
function countHeld(all: Iterable<Pick<Mute, 'until'>>): number {
  return [...all].filter((one) => !isOver(one)).length;
}

/** The rows of what has ended stay for an hour: see `open`. */
function tooManyEnded(what: string, most: number) {
  return badInput(
    `This user has ended too many ${what} within the last hour: with those that hold, at most ${most} are kept. Try again in an hour.`,
  );
}

/** The id of a muted text: a positive 63-bit number that equal texts have in common. */
export function wordIdOf(key: string): string {
  const hash = createHash('sha256').update(key).digest().readBigUInt64BE();
  return String(hash >> 1n || 1n);
}

type HiddenRow = NewRowOf<typeof hiddenByUser.columns>;
type HiddenKey = Pick<HiddenRow, 'viewerId' | 'kind' | 'targetId'>;

/**
 * Reads the rows that hide something from a user, to change one of them. An ended row is not removed but written as ended, and expires. So
 * a change always finds the time of the last one, and is later than it, even if the clocks of two servers differ.
 */
async function open(database: Database, key: HiddenKey) {
  const load = createLoad(database);
  const rows = await load(hiddenByUser.page, { viewerId: key.viewerId, limit: MAX_HIDDEN_ROWS });
  const ofKind = rows.filter(({ kind }) => kind === key.kind);
  const last = ofKind.find(({ targetId }) => targetId === key.targetId);
  // Earlier versions stored no time of the change of a thread.
  const lastAt = Number(last?.changedAt ?? last?.hiddenAt ?? 0);
  const changedAt = new Date(Math.max(Date.now(), lastAt + 1));
  return {
    set: setIn(rows),
    isFull: (most: number) => last === undefined && ofKind.length >= most,
    change: (row: Omit<HiddenRow, keyof HiddenKey>) => put(database, { ...key, ...row, changedAt }),
  };
}

/** Writes a row in place of the one that may be there. A removal in the same batch takes along the columns that the new row does not have. */
async function put(database: Database, row: HiddenRow & { readonly changedAt: Date }): Promise<void> {
  const { until, ended, changedAt } = row;
  const seconds = ended === true ? 0 : until ? Math.ceil((Number(until) - Date.now()) / 1000) : null;
  // A row that does not expire is recognised by reads as ended.
  const ttl = seconds === null ? 0 : ttlOf(seconds + TTL_SLACK_SECONDS);
  const at = Number(changedAt) * 1000;
  await database.batch([removalOf(hiddenByUser, row, at - 1), writeOf(hiddenByUser, row, { at, ttl })]);
}
