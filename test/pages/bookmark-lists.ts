import { bookmarksByUser, bookmarksInFolder } from '../../src/features/bookmark/bookmark.lists';
import { bookmarks } from '../../src/features/bookmark/bookmark.table';
import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import { tweets } from '../../src/features/tweet/tweet.table';
import { idOf, momentOf, ofUser, OWNER, tweetRow, type Listed } from './items';

const FOLDER = { folderId: '700', folder: 'Tea' };

const bookmark = (n: number) => ({ userId: OWNER, bookmarkedAt: momentOf(n), tweetId: idOf(n) });

/** Bookmarks, all and those in a folder. */
export const bookmarkLists: readonly Listed[] = [
  {
    field: 'User.bookmarks',
    ask: ofUser('bookmarks', 'tweetId'),
    put: (n) => [writeOf(tweets, tweetRow(n, '2')), writeOf(bookmarksByUser, { ...bookmark(n), folder: '' })],
    remove: (n) => [removalOf(bookmarksByUser, bookmark(n))],
  },
  {
    field: 'User.bookmarks in a folder',
    ask: (page) => ofUser('bookmarks', 'tweetId')(`folder: " tea ", ${page}`),
    put: (n) => [
      writeOf(tweets, tweetRow(n, '2')),
      writeOf(bookmarksInFolder, { ...bookmark(n), ...FOLDER }),
      writeOf(bookmarks, {
        ...{ userId: OWNER, tweetId: '0', folderNames: ['Tea'] },
        ...{ folderIds: [FOLDER.folderId], folderCounts: [1] },
      }),
    ],
    remove: (n) => [removalOf(bookmarksInFolder, { ...bookmark(n), ...FOLDER })],
  },
];
