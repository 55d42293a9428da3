import { flag, holding, idOf, int, label, optional, texts, timestamp } from '../../kit/cassandra/column';
import { listTable, table, type Row } from '../../kit/cassandra/table';
import { MAX_RUNS_PER_SECOND } from '../../kit/base/pace';
import { groupId } from './group-id';
import { NO_SUBJECT, NotificationKind } from './notification-kind';

/** How many of the newest members of a group its row names: enough for most pages, even if some of them are hidden. */
export const MAX_NAMED_ACTORS = 10;
/** The greatest size in bytes of an actor in a row: an id, a space, milliseconds. */
const MAX_ACTOR_BYTES = 40;

/** The notifications of a user, the one that was listed last first. A group is one row. `actors` are written by `encodeActor`. */
export const notificationsByUser = listTable(
  'notifications_by_user',
  {
    userId: idOf('User'),
    listedAt: timestamp,
    notificationId: idOf('Notification'),
    kind: label,
    subjectId: idOf('Tweet', 'Comment'),
    rootId: optional(idOf('Tweet')),
    actorCount: int,
    actors: holding(texts(MAX_NAMED_ACTORS * MAX_ACTOR_BYTES), 'User'),
  },
  {
    writeLoad: { rows: { notice: 0.3 }, bytes: 120, spread: { over: 'subjects' } },
    owner: 'userId',
    clustering: ['listedAt', 'notificationId'],
  },
);

/** A notification, as its list has it. */
export type NotificationRow = Row<typeof notificationsByUser>;

/**
 * The groups of likes, shares and follows. Section 1 has the members by the times of their acts; section 0 has them by their ids, also those
 * who are no members any more, and the group itself.
 */
export const notificationGroups = table(
  'notification_groups',
  {
    groupId: {
      ...idOf('Notification', 'User'),
      // The id of a group is a hash that includes its user. The first group of followers goes last, so if it is gone, the others are gone.
      holds: (value: unknown, wanted: string, type: string) =>
        type === 'User'
          ? value === groupId({ userId: wanted, kind: NotificationKind.FOLLOW, subjectId: NO_SUBJECT }, 0)
          : value === wanted,
    },
    section: int,
    at: timestamp,
    actorId: idOf('User'),
    present: optional(flag),
    since: optional(timestamp),
    changedAt: optional(timestamp),
    userId: optional(idOf('User')),
    kind: optional(label),
    subjectId: optional(idOf('Tweet')),
    number: optional(int),
    rootId: optional(idOf('Tweet')),
    version: optional(int),
    memberCount: optional(int),
    taken: optional(int),
    firstAt: optional(timestamp),
    listedAt: optional(timestamp),
    listedCount: optional(int),
    beforeAt: optional(timestamp),
    isClosed: optional(flag),
  },
  {
    role: {
      kind: 'partly derived',
      why: 'the acts follow from others; how they were grouped stands here alone',
    },
    writeLoad: {
      rows: { notice: 2 },
      transactions: { notice: 1 },
      // Acts of one grouping that come to a server within a pause share a transaction.
      maxTransactions: MAX_RUNS_PER_SECOND,
      bytes: 60,
      spread: { over: 'subjects' },
      most: 20_000,
    },
    partition: ['groupId'],
    clustering: ['section', 'at', 'actorId'],
  },
);

/** The key of the row that says what a group is; no user has such an id. */
export const GROUP_ROW = { section: 0, at: new Date(0), actorId: '-1' } as const;

/** The group of an act, unless that is the first group of its kind and subject. */
export const notificationMembers = table(
  'notification_members',
  {
    userId: idOf('User'),
    kind: label,
    subjectId: idOf('Tweet'),
    actorId: idOf('User'),
    number: optional(int),
  },
  {
    role: { kind: 'truth', why: 'it says in which of several groups an act is' },
    writeLoad: { rows: { notice: 0.1 }, bytes: 50, spread: { over: 'acts' } },
    partition: ['userId', 'kind', 'subjectId', 'actorId'],
  },
);

/** The users whom a reply, a quote or a tweet with mentions has notified, with the kinds: that is decided once, when it is posted. */
export const notifiedByTweet = table(
  'notified_by_tweet',
  { tweetId: idOf('Tweet'), userId: idOf('User'), kind: optional(label) },
  {
    role: {
      kind: 'partly derived',
      why: 'its rows follow from tweets; whom a tweet notified was decided when it was posted',
    },
    writeLoad: { rows: { reply: 1, quote: 1 }, bytes: 30, spread: { over: 'acts' }, most: 36 },
    partition: ['tweetId'],
    clustering: ['userId'],
  },
);
