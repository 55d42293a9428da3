import type { Feature } from '../feature';
import { NotificationResolver, UserNotificationsResolver } from './notification.resolver';
import { NotificationSubscription } from './notification.subscription';
import { actorResolvers } from './notification.type';
import {
  notificationGroups,
  notificationMembers,
  notificationsByUser,
  notificationStates,
  notifiedByTweet,
} from './notification.table';

/** Notifications: tables, resolvers. */
export const notificationFeature: Feature = {
  title: 'Notifications',
  tables: [notificationsByUser, notificationGroups, notificationMembers, notifiedByTweet, notificationStates],
  resolvers: [UserNotificationsResolver, NotificationResolver, NotificationSubscription, ...actorResolvers],
  // Only its user may read a notification, in the user's list.
  nodeTypes: { Notification: { key: 'notificationId', reads: [], load: () => Promise.resolve(null) } },
};
