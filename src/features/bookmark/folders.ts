import type { Row } from '../../kit/cassandra/table';
import { checkedName, written } from '../../kit/input/input-text';
import type { Load } from '../../kit/reads/load';
import { bookmarkFolders, MAX_FOLDER_BYTES } from './bookmark.table';

/** A folder that has at least one bookmark. */
export interface Folder {
  readonly folderId: string;
  /** The name as it was given with the first bookmark. */
  readonly name: string;
  readonly count: number;
}

/** The bounds of the name of a folder. */
export const FOLDER_BOUNDS = written(50, MAX_FOLDER_BYTES);

/** The tweet whose row has the folders of a user. */
const FOLDERS_ROW = '0';

/** The folders in a row of the table. */
export function foldersIn(
  row: Pick<Row<typeof bookmarkFolders>, 'folderNames' | 'folderIds' | 'folderCounts'> | null,
): readonly Folder[] {
  const { folderNames, folderIds, folderCounts } = row ?? {};
  return (folderNames ?? []).map((name, index) => ({
    name,
    folderId: folderIds?.[index] ?? '',
    count: folderCounts?.[index] ?? 0,
  }));
}

/** Reads the folders of a user, in the order in which they began. */
export async function foldersOf(load: Load, userId: string): Promise<readonly Folder[]> {
  return foldersIn(await load(bookmarkFolders.get, { userId, tweetId: FOLDERS_ROW }));
}

/** The folder with a name, whatever the case of its letters. */
export function findFolder(folders: readonly Folder[], name: string): Folder | undefined {
  const key = folderKey(name);
  return folders.find((one) => folderKey(one.name) === key);
}

/**
 * Checks the name of a folder, and returns it as it is stored: in the composed form of Unicode, without spaces at its ends, and with one
 * space wherever there is white space. Throws `BAD_USER_INPUT`.
 */
export function checkedFolder(name: string): string {
  const given = checkedName('folder', name, FOLDER_BOUNDS);
  const normal = given.normalize('NFC').replace(/\s+/gu, ' ').trim();
  // Some letters are longer when composed.
  return checkedName('folder', normal, FOLDER_BOUNDS);
}

/** Returns a key that is equal for names of one folder: names that differ only in the case or the form of their letters. */
export function folderKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
