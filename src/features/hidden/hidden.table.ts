import { flag, idOf, label, optional, text, texts, timestamp } from '../../kit/cassandra/column';
import { cacheable, pageStatement, type PageKey } from '../../kit/cassandra/statement';
import { table, without, type Row } from '../../kit/cassandra/table';

/** The most users that a user blocks. */
export const MAX_BLOCKED = 5000;
/** The most users that a user mutes. */
export const MAX_MUTED = 2000;
/** The most muted words of a user. */
export const MAX_MUTED_WORDS = 200;
/** The most threads that a user mutes. */
export const MAX_MUTED_THREADS = 1000;
/** The most rows of muted threads of a user: with those that have ended within the last hour. */
export const MAX_THREAD_ROWS = 1300;
/** The most users whom the rows of a user name as its blockers. If more block it, the rows of `relations` tell who. */
export const MAX_BLOCKERS = 2500;
/** The most graphemes of a muted text, and its greatest size in bytes. */
export const MAX_WORD_GRAPHEMES = 100;
export const MAX_WORD_BYTES = 1000;

/**
 * Returns the most rows of a kind that a user has: the limit, as many that have ended within the last hour, and a few by which acts at the
 * same moment pass a limit.
 */
export function maxRows(limit: number): number {
  return 2 * limit + 100;
}

/** How many rows of a user are read. Acts at the same moment may pass the limits, so there is room for some more. */
export const MAX_HIDDEN_ROWS = 11_000;
/** How many bytes these have: some 200 each, and the words. */
export const MAX_HIDDEN_BYTES = MAX_HIDDEN_ROWS * 200 + MAX_MUTED_WORDS * MAX_WORD_BYTES;

/**
 * The kinds of rows of `hidden_by_user`, in their order: rows that others can add come last, so that they never take the room of the rest.
 */
export const HIDDEN = {
  block: 'block',
  /** More than `MAX_BLOCKERS` users block the user: its rows do not name them. */
  manyBlockers: 'many_blockers',
  mute: 'mute',
  thread: 'muted_thread',
  word: 'muted_word',
  /** Up to where the user has seen notifications: one row. */
  seen: 'seen',
  blocker: 'their_block',
} as const;

/**
 * The relations of a user that hide something: blocked users, blockers, muted users, muted words, muted threads, and the point up to which
 * notifications were seen. Rows of blocks are derived from `relations`; the others are stored here only.
 */
export const hiddenByUser = table(
  'hidden_by_user',
  {
    viewerId: idOf('User'),
    kind: label,
    targetId: {
      ...idOf('User', 'Tweet'),
      holds: (value: unknown, wanted: string, type: string) =>
        value === (type === 'Tweet' ? threadTarget(wanted) : wanted),
    },
    hiddenAt: timestamp,
    changedAt: optional(timestamp),
    ended: optional(flag),
    until: optional(timestamp),
    scope: optional(texts(100)),
    words: optional(text(MAX_WORD_BYTES)),
    exceptFollowed: optional(flag),
    seenId: optional(idOf('Notification')),
  },
  {
    role: {
      kind: 'partly derived',
      why: 'only blocks follow from relations; mutes and what was seen stand here alone',
    },
    writeLoad: { rows: { block: 2 }, bytes: 45, spread: { over: 'people' }, most: MAX_HIDDEN_ROWS },
    partition: ['viewerId'],
    clustering: ['kind', 'targetId'],
    order: 'asc',
    pageBytes: MAX_HIDDEN_BYTES,
  },
);

/** The target of a row that is about nobody else: no user has such an id. */
export const NO_TARGET = '-1';

/** The target of the row of a muted thread. It is negative, because imported tweets may have the ids of users. */
export function threadTarget(rootId: string): string {
  return String(~BigInt(rootId));
}

/** The root of a muted thread, by the target of its row. */
export function rootOfThread(targetId: string): string {
  return String(~BigInt(targetId));
}

/** The same without words: who is blocked and muted. */
export const hiddenUsers = without(without(hiddenByUser, 'words'), 'changedAt');

/** Reads it to show what depends on it, perhaps as it was a moment ago. */
export const cachedHiddenUsers = cacheable(hiddenUsers.page, { absence: true });

/** The columns that are read of each row for every request of a person. */
const SEEN_COLUMNS = [
  ...(['kind', 'targetId', 'hiddenAt', 'ended', 'until'] as const),
  ...(['scope', 'words', 'exceptFollowed', 'seenId'] as const),
] as const;
type HiddenRow = Row<typeof hiddenByUser>;

/** Reads the rows that hide something from a user, without the columns that only changes need. */
export const hiddenRows = pageStatement<
  PageKey<HiddenRow, 'viewerId'>,
  Pick<HiddenRow, (typeof SEEN_COLUMNS)[number]>
>(hiddenByUser, SEEN_COLUMNS);
