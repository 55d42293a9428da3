import { bookmarksByUser } from '../../features/bookmark/bookmark.lists';
import { exportList, type ExportedPart } from '../exported';

/** What a person has bookmarked, with the folders. */
export const bookmarkExported: readonly ExportedPart[] = [
  exportList('bookmarks', bookmarksByUser, (_, rows) =>
    rows.map(({ tweetId, bookmarkedAt, folder }) => ({ tweetId, bookmarkedAt, folder })),
  ),
];
