import {
  notificationGroups,
  notificationMembers,
  notificationsByUser,
  notificationStates,
  notifiedByTweet,
} from '../../features/notification/notification.table';
import { clearOwn, sweepRows, type LeavingPart, type Swept } from '../leaving';

/** The notifications of a person who leaves. Those by the person are taken back with the acts. */
export const notificationLeaving: readonly LeavingPart[] = [
  clearOwn('notifications', notificationsByUser, notificationStates),
];

/** The groups of who has left, and what groups of others know of former members. */
export const notificationSwept: readonly Swept[] = [
  sweepRows(notificationGroups, ['actorId', 'userId'], { isDecided: true }),
  sweepRows(notificationMembers, ['actorId', 'userId'], { isDecided: true }),
  sweepRows(notifiedByTweet, ['userId'], { isDecided: false }),
];
