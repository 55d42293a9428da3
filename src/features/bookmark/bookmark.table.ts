import {
  flag,
  holding,
  id,
  idOf,
  int,
  ints,
  optional,
  text,
  texts,
  timestamp,
} from '../../kit/cassandra/column';
import { table } from '../../kit/cassandra/table';

/** The most bookmarks that a user has: they are one partition. */
export const MAX_BOOKMARKS = 100_000;
/** The most folders that a user has at a time. */
export const MAX_FOLDERS = 100;
/** The greatest size of the name of a folder in bytes. */
export const MAX_FOLDER_BYTES = 250;
/** The name of a folder, as rows of bookmarks have it. It is empty for those in no folder. */
export const folder = text(MAX_FOLDER_BYTES);

const keyColumns = { userId: idOf('User'), tweetId: idOf('Tweet') };
/** The id of a folder. */
export const folderId = idOf('Folder');
const folderColumns = {
  folderNames: texts(MAX_FOLDERS * MAX_FOLDER_BYTES),
  folderIds: holding(texts(MAX_FOLDERS * id.maxBytes), 'Folder'),
  folderCounts: ints(MAX_FOLDERS),
};
const key = {
  writeLoad: {
    rows: { bookmark: 1 },
    transactions: { bookmark: 1 },
    bytes: 80,
    spread: { over: 'people' },
    most: MAX_BOOKMARKS,
  },
  partition: ['userId'],
  clustering: ['tweetId'],
  order: 'asc',
} as const;

/**
 * The bookmarks of a user. The row of tweet 0 also has the user's folders, the number of all bookmarks, and a version that each change
 * increments.
 */
export const bookmarks = table(
  'bookmarks',
  {
    ...keyColumns,
    bookmarkedAt: optional(timestamp),
    changedAt: optional(timestamp),
    folder: optional(folder),
    folderId: optional(folderId),
    isPresent: optional(flag),
    leftFolderId: optional(folderId),
    ...folderColumns,
    total: optional(int),
    version: optional(int),
  },
  { ...key, role: { kind: 'truth', why: 'it decides who has bookmarked what, and in which folder' } },
);

/** The same, to see whether a tweet is bookmarked. */
export const bookmarkMarks = table('bookmarks', { ...keyColumns, isPresent: optional(flag) }, key);

/** The same, to read the folders, which are in the row of tweet 0. */
export const bookmarkFolders = table('bookmarks', { ...keyColumns, ...folderColumns }, key);
