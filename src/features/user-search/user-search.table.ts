import { flag, idOf, int, optional, staticColumn, text } from '../../kit/cassandra/column';
import { table } from '../../kit/cassandra/table';
import { MAX_NAME_BYTES, MAX_USERNAME_BYTES } from '../user/user.table';

/** The most places of a name at which a search may begin, besides its username. */
export const MAX_STARTS = 8;
/** The most characters of such a start. */
export const MAX_START_CHARACTERS = 30;
/** How many users a prefix keeps: those with the most followers. */
export const KEPT_USERS = 1000;
/** How many it may have before those that are too many are removed. */
export const MAX_USERS = 1250;
/** How many of those whom a user follows are looked at: as many as `followUser` allows. */
export const LOOKED_AT_FOLLOWEES = 2000;

const name = text(MAX_NAME_BYTES);
const username = text(MAX_USERNAME_BYTES);
/** A character has at most four bytes, and one ends a line. */
const starts = text((MAX_STARTS + 1) * (4 * MAX_START_CHARACTERS + 1));
/** A prefix: in lower case, and with a sign before it, a username may be longer. */
const prefix = text(1.5 * MAX_USERNAME_BYTES + 1);
const sortName = text(4 * MAX_START_CHARACTERS);
const rowColumns = { prefix, rank: int, sortName, userId: idOf('User'), name, starts, username };
const key = {
  writeLoad: { rows: { signUp: 8 }, bytes: 150, spread: { over: 'subjects' }, most: MAX_USERS },
  partition: ['prefix'],
  clustering: ['rank', 'sortName', 'userId'],
  order: 'asc',
} as const;

/**
 * The users whose username, or a word of whose name, begins with a prefix; with `=` before it, the user with a username. `floor…` is the
 * key of the last row that is kept, if there were more: a place, whose user may be gone.
 */
export const usersByPrefix = table(
  'users_by_prefix',
  {
    ...rowColumns,
    floorRank: staticColumn(optional(int)),
    floorName: staticColumn(optional(sortName)),
    floorId: staticColumn(optional(idOf('Place'))),
  },
  key,
);

/** The same, to search in it. */
export const foundByPrefix = table('users_by_prefix', rowColumns, key);

/**
 * The names and ranks by which users may be in `users_by_prefix`. A writer that changes them stores the new ones first, and removes the
 * rows of the others.
 */
export const userSearchEntries = table(
  'user_search_entries',
  { userId: idOf('User'), rank: int, name, username, whole: optional(flag) },
  {
    writeLoad: { rows: { signUp: 1 }, bytes: 60, spread: { over: 'people' }, most: 5 },
    partition: ['userId'],
    clustering: ['rank', 'name'],
    order: 'asc',
  },
);

/** The names of those whom a user follows. */
export const followeesByName = table(
  'followees_by_name',
  { userId: idOf('User'), followeeId: idOf('User'), name, starts, username },
  {
    writeLoad: { rows: { follow: 1 }, bytes: 150, spread: { over: 'people' }, most: LOOKED_AT_FOLLOWEES },
    partition: ['userId'],
    clustering: ['followeeId'],
    order: 'asc',
  },
);
