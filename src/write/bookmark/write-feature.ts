import type { WriteFeature } from '../write-feature';
import { BookmarkMutations } from './bookmark.mutations';
import { bookmarkExported } from './exported';
import { bookmarkDeletionParts } from './account-deletion';
import { bookmarkHandler } from './set-bookmark';

/** The mutations of bookmarks, and the tasks that they enqueue. */
export const bookmarkWrites: WriteFeature = {
  mutations: [BookmarkMutations],
  tasks: { bookmark: bookmarkHandler },
  accountDeletion: bookmarkDeletionParts,
  exported: bookmarkExported,
};
