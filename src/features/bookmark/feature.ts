import type { Feature } from '../feature';
import { bookmarkConnections } from './bookmark.connections';
import { bookmarksByUser, bookmarksInFolder } from './bookmark.lists';
import { BookmarkedResolver, BookmarkFoldersResolver } from './bookmark.resolver';
import { bookmarks } from './bookmark.table';

/** Bookmarks: tables, connections, resolvers. */
export const bookmarkFeature: Feature = {
  title: 'Bookmarks',
  tables: [bookmarks, bookmarksByUser, bookmarksInFolder],
  connections: bookmarkConnections,
  resolvers: [BookmarkedResolver, BookmarkFoldersResolver],
};
