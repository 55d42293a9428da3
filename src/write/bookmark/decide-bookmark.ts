import { bookmarkIn } from '../../features/bookmark/bookmark.lists';
import { MAX_BOOKMARKS, MAX_FOLDERS, bookmarks } from '../../features/bookmark/bookmark.table';
import { findFolder, foldersIn, type Folder } from '../../features/bookmark/folders';
import { badInput } from '../../kit/base/errors';
import type { Database, Write } from '../../kit/cassandra/database';
import { decideUntilWritten, type Decision, type Question } from '../../kit/cassandra/decide';
import { selectedFrom } from '../../kit/cassandra/statement';
import type { Row } from '../../kit/cassandra/table';

/** A row of a bookmark, as it is decided. */
export type DecidedBookmark = Pick<
  Row<typeof bookmarks>,
  'userId' | 'tweetId' | 'bookmarkedAt' | 'changedAt' | 'folder' | 'folderId' | 'isPresent' | 'leftFolderId'
>;

/** The wanted state: a bookmark in the folder of a name, in no folder for an empty name, in its present folder for null; or no bookmark. */
export type Wish = { readonly folder: string | null } | 'removed';

/** The means of a decision. */
interface Deciding {
  readonly database: Database;
  /** Gives the id of a new folder. */
  nextId(this: void): string;
  /** When it is decided. */
  readonly now?: Date;
}

/** How long the row of a removed bookmark stays: longer than writes that it must win against may be late. */
const REMOVED_SECONDS = 30 * 86_400;

const read = `SELECT ${selectedFrom(bookmarks, Object.keys(bookmarks.columns))} WHERE user_id = ? AND tweet_id IN ?`;
const putBookmark =
  'UPDATE bookmarks USING TTL ? SET bookmarked_at = ?, changed_at = ?, folder = ?, folder_id = ?, is_present = ?, left_folder_id = ? WHERE user_id = ? AND tweet_id = ?';
const putFolders =
  'UPDATE bookmarks SET folder_names = ?, folder_ids = ?, folder_counts = ?, total = ?, version = ? WHERE user_id = ? AND tweet_id = 0 IF version = ?';

/** The question what a bookmark and the folders of its user are now. */
export function questionOf(userId: string, tweetId: string): Question {
  return { cql: read, params: [userId, [...new Set(['0', tweetId])]] };
}

/** The row of a bookmark among those that were read; null if there never was one. */
export function rowOf(rows: readonly object[], tweetId: string): DecidedBookmark | null {
  const row = (rows as Row<typeof bookmarks>[]).find((one) => one.tweetId === tweetId);
  return row === undefined || bookmarkIn(row) === null ? null : row;
}

/** Whether a wish is fulfilled already. */
export function isFulfilled(before: DecidedBookmark | null, wish: Wish): boolean {
  if (wish === 'removed') return before?.isPresent !== true;
  if (before?.isPresent !== true) return false;
  if (wish.folder === null) return true;
  const folder = before.folder ?? '';
  return folder === '' || wish.folder === ''
    ? folder === wish.folder
    : findFolder([{ name: folder, folderId: '', count: 1 }], wish.folder) !== undefined;
}

/**
 * Changes a bookmark and the folders of its user by one lightweight transaction. Resolves to the bookmark after it; null if there never
 * was one. `clear` makes lists equal to the bookmark before, whose rows may have other keys. Throws `BAD_USER_INPUT` for too many
 * bookmarks or folders.
 */
export function decideBookmark(
  { database, nextId, now = new Date() }: Deciding,
  question: Question,
  wish: Wish,
  clear: (before: DecidedBookmark) => Promise<void>,
): Promise<DecidedBookmark | null> {
  const [userId, ids] = question.params as [string, string[]];
  const tweetId = ids.at(-1) ?? '0';
  return decideUntilWritten(database, question, async (rows): Promise<Decision<DecidedBookmark | null>> => {
    const before = rowOf(rows, tweetId);
    if (isFulfilled(before, wish)) return { writes: [], result: before };
    const head = (rows as Row<typeof bookmarks>[]).find((one) => one.tweetId === '0');
    const left = before?.isPresent === true ? before.folderId : null;
    const others = changeCount(foldersIn(head ?? null), left, -1);
    const total = (head?.total ?? 0) - Number(before?.isPresent === true);
    if (before !== null) await clear(before);
    const last = before?.changedAt ?? null;
    const changedAt = last !== null && last >= now ? new Date(Number(last) + 1) : now;
    const decided = { userId, tweetId, changedAt };
    if (wish === 'removed') {
      // Its lists are known by what it was.
      const after = { ...before, bookmarkedAt: before?.bookmarkedAt ?? null, folder: before?.folder ?? null };
      const gone = { ...after, ...decided, folderId: left, isPresent: false, leftFolderId: null };
      return { writes: writesOf(before, gone, others, total, head?.version ?? null), result: gone };
    }
    if (total >= MAX_BOOKMARKS)
      throw badInput(`A user can have at most ${MAX_BOOKMARKS} bookmarks: remove one first.`);
    const { folder, folders } = enterFolder(others, wish.folder ?? '', nextId);
    const row = {
      ...decided,
      bookmarkedAt: before?.isPresent === true ? before.bookmarkedAt : changedAt,
      folder: folder?.name ?? '',
      folderId: folder?.folderId ?? null,
      isPresent: true,
      leftFolderId: left,
    };
    return { writes: writesOf(before, row, folders, total + 1, head?.version ?? null), result: row };
  });
}

/** Adds a bookmark to the folder of a name, which begins with it if it was not there. */
function enterFolder(folders: readonly Folder[], name: string, nextId: () => string) {
  if (name === '') return { folders };
  const known = findFolder(folders, name);
  if (known === undefined && folders.length >= MAX_FOLDERS)
    throw badInput(`A user can have at most ${MAX_FOLDERS} folders: empty one first.`);
  const folder = known ?? { name, folderId: nextId(), count: 0 };
  const all = known === undefined ? [...folders, folder] : folders;
  return { folder, folders: changeCount(all, folder.folderId, 1) };
}

/** Changes the count of a folder. One without bookmarks is none. */
function changeCount(folders: readonly Folder[], folderId: string | null, by: 1 | -1): readonly Folder[] {
  return folders
    .map((one) => (one.folderId === folderId ? { ...one, count: one.count + by } : one))
    .filter(({ count }) => count > 0);
}

function writesOf(
  before: DecidedBookmark | null,
  { userId, tweetId, bookmarkedAt, changedAt, folder, folderId, isPresent, leftFolderId }: DecidedBookmark,
  folders: readonly Folder[],
  total: number,
  version: number | null,
): Pick<Write, 'query' | 'params'>[] {
  const ttl = isPresent === true ? 0 : REMOVED_SECONDS;
  // A null is only written over a value, because it is a tombstone.
  const cellOf = (property: 'folderId' | 'leftFolderId', value: string | null) =>
    value ?? (before?.[property] == null ? undefined : null);
  const ids = [cellOf('folderId', folderId), cellOf('leftFolderId', leftFolderId)] as const;
  const columns = [bookmarkedAt, changedAt, folder, ids[0], isPresent, ids[1]];
  const lists = (['name', 'folderId', 'count'] as const).map((property) =>
    folders.map((one) => one[property]),
  );
  return [
    { query: putBookmark, params: [ttl, ...columns, userId, tweetId] },
    { query: putFolders, params: [...lists, total, (version ?? 0) + 1, userId, version] },
  ];
}
