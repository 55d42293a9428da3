import { bookmarksByUser, bookmarksInFolder } from '../../features/bookmark/bookmark.lists';
import { bookmarks } from '../../features/bookmark/bookmark.table';
import { foldersIn } from '../../features/bookmark/folders';
import { createLoad } from '../../kit/reads/load';
import { clear, clearOwn, type DeletionPart } from '../account-deletion';

/** The bookmarks of a person who leaves. Lists of folders are kept by the ids of the folders, which the table of bookmarks names. */
export const bookmarkDeletionParts: readonly DeletionPart[] = [
  {
    name: 'bookmark folders',
    phase: 'lists',
    tables: [bookmarksInFolder],
    async *remove(writeServices, { userId }) {
      const head = await createLoad(writeServices.database)(bookmarks.get, { userId, tweetId: '0' });
      for (const { folderId } of foldersIn(head))
        yield {
          after: '',
          rows: { [bookmarksInFolder.name]: await clear(writeServices, bookmarksInFolder, folderId) },
        };
    },
  },
  clearOwn('bookmarks', bookmarksByUser, bookmarks),
];
