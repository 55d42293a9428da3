import { bookmarksByUser } from '../../features/bookmark/bookmark.lists';
import { exportList, type ExportedPart } from '../exported';

/** The bookmarks of a person, with the folders. */
export const bookmarkExported: readonly ExportedPart[] = [
  exportList('bookmarks', bookmarksByUser, (_, rows) =>
    rows.map(({ tweetId, bookmarkedAt, folder }) => ({ tweetId, bookmarkedAt, folder })),
  ),
];
