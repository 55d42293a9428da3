import { writeOf } from '../../src/kit/cassandra/write';
import type { Write } from '../../src/kit/cassandra/database';
import { bookmarksByUser } from '../../src/features/bookmark/bookmark.lists';
import { bookmarkFolders } from '../../src/features/bookmark/bookmark.table';
import { HIDDEN, hiddenByUser } from '../../src/features/hidden/hidden.table';
import { encodeActor } from '../../src/features/notification/actor';
import { NotificationKind } from '../../src/features/notification/notification-kind';
import {
  MAX_NAMED_ACTORS,
  notificationGroups,
  notificationsByUser,
} from '../../src/features/notification/notification.table';
import { everyone, listBuckets, MANY, NESTED, newestOf, PEOPLE, userOf } from './seed';

/** More actors than the row of a notification names, so that pages of them are read. */
const ACTORS = MAX_NAMED_ACTORS + 2;

/** Notifications and bookmarks of everybody, and whom and what everybody hides. */
export function rowsOfSociety(): Write[] {
  return everyone.flatMap((n) => {
    const some = Array.from({ length: (n === 0 ? MANY : NESTED) + 2 }, (_, k) => k);
    return [
      ...some.flatMap((k) => [...notification(n, k), ...hidden(n, k), bookmark(n, k)]),
      foldersOf(n, some.length),
    ];
  });
}

function notification(n: number, k: number): Write[] {
  const groupId = String(900_000 + n * 100 + k);
  const actors = Array.from({ length: ACTORS }, (_, actor) => ({
    actorId: userOf((n + k + actor + 1) % PEOPLE),
    at: new Date(Number(listBuckets[1]) + actor * 1000),
  })).toReversed();
  return [
    writeOf(notificationsByUser, {
      ...{ userId: userOf(n), listedAt: new Date(Number(listBuckets[1]) + k * 60_000) },
      ...{ notificationId: groupId, kind: NotificationKind.LIKE, subjectId: newestOf((n + k) % PEOPLE) },
      ...{ actorCount: ACTORS, actors: actors.slice(0, MAX_NAMED_ACTORS).map(encodeActor) },
    }),
    ...actors.map((actor) => writeOf(notificationGroups, { groupId, section: 1, ...actor })),
  ];
}

function bookmark(n: number, k: number): Write {
  const bookmarkedAt = new Date(Number(listBuckets[1]) + k * 1000);
  const tweetId = newestOf((n + k) % PEOPLE);
  return writeOf(bookmarksByUser, { userId: userOf(n), bookmarkedAt, tweetId, folder: '' });
}

function foldersOf(n: number, count: number): Write {
  const folders = Array.from({ length: count }, (_, k) => k);
  return writeOf(bookmarkFolders, {
    ...{ userId: userOf(n), tweetId: '0', folderCounts: folders.map(() => 1) },
    folderIds: folders.map((k) => String(700 + 100 * n + k)),
    folderNames: folders.map((k) => `folder${String(k)}`),
  });
}

function hidden(n: number, k: number): Write[] {
  const row = { viewerId: userOf(n), targetId: userOf((n + k + 1) % PEOPLE), hiddenAt: new Date(k) };
  return [
    writeOf(hiddenByUser, { ...row, kind: HIDDEN.block }),
    writeOf(hiddenByUser, { ...row, kind: HIDDEN.mute }),
    writeOf(hiddenByUser, { ...row, kind: HIDDEN.word, words: `word${String(k)}` }),
  ];
}
