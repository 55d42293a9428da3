import { timestamp } from '../../kit/cassandra/column';
import { list } from '../../kit/lists/list';
import { ref, type Ref } from '../../kit/lists/node';
import { source } from '../../kit/lists/source';
import type { Row } from '../../kit/cassandra/table';
import { readMany } from '../../kit/reads/load';
import { tweet } from '../tweet/tweet.node';
import { user } from '../user/user.node';
import { bookmarks, folder, folderId } from './bookmark.table';

/** Somebody has bookmarked a tweet. */
interface Bookmark {
  readonly userId: string;
  readonly tweetId: string;
  readonly bookmarkedAt: Date;
  readonly changedAt: Date;
  /** The name of its folder; empty if it is in none. */
  readonly folder: string;
  /** The id of its folder; null if it is in none. */
  readonly folderId: string | null;
}

/** Returns the bookmark of a row, for lists: as it is, or as it was when it was removed. Null if there never was one. */
export function bookmarkIn({
  userId,
  tweetId,
  bookmarkedAt,
  changedAt,
  folder,
  folderId,
}: BookmarkRow): Bookmark | null {
  if (bookmarkedAt === null || changedAt === null) return null;
  return { userId, tweetId, bookmarkedAt, changedAt, folder: folder ?? '', folderId };
}

/** The part of a row that says where a bookmark is listed. */
type BookmarkRow = Pick<
  Row<typeof bookmarks>,
  'userId' | 'tweetId' | 'bookmarkedAt' | 'changedAt' | 'folder' | 'folderId'
>;

const bookmark = source<Bookmark>({
  table: bookmarks,
  keyOf: ({ userId, tweetId }) => `${String(userId)} ${String(tweetId)}`,
  keyIn: ({ userId, tweetId }) => `${String(userId)} ${String(tweetId)}`,
  async read(database, keys) {
    const named = keys.map((key) => {
      const [userId = '', tweetId = ''] = key.split(' ');
      return { userId, tweetId };
    });
    return (await readMany(database, bookmarks.get, named)).flatMap((row) =>
      row?.isPresent === true ? (bookmarkIn(row) ?? []) : [],
    );
  },
  // A late write overwrites nothing newer.
  timeOf: ({ changedAt }) => Number(changedAt) * 1000,
});

/** The bookmarks of a user, newest first. */
export const bookmarksByUser = list('bookmarks_by_user', {
  writeLoad: { rows: { bookmark: 1 }, bytes: 45, spread: { over: 'people' } },
  owner: { userId: ref(user) },
  order: { bookmarkedAt: timestamp, tweetId: ref(tweet) },
  also: { folder },
  from: bookmark,
});

/** A folder is of a user, and has no node of its own. */
const folderOfUser: Ref = { ...folderId, of: user };

/** The bookmarks in a folder, newest first. */
export const bookmarksInFolder = list('bookmarks_in_folder', {
  writeLoad: { rows: { bookmark: 0.2 }, bytes: 45, spread: { over: 'people' } },
  owner: { folderId: folderOfUser },
  order: { bookmarkedAt: timestamp, tweetId: ref(tweet) },
  also: { folder, userId: ref(user) },
  from: bookmark,
});

/** The lists that have a row of each bookmark. */
export const bookmarkLists = [bookmarksByUser, bookmarksInFolder] as const;
