import type { Feature } from '../feature';
import { NotificationResolver, UserNotificationsResolver } from './notification.resolver';
import { ownNotification } from './notification-node';
import { RESERVED_FOR_NODE } from './notification-reads';
import { NotificationSubscription } from './notification.subscription';
import { actorResolvers } from './notification.type';
import {
  notificationGroups,
  notificationMembers,
  notificationsByUser,
  notifiedByTweet,
} from './notification.table';

/** Notifications: tables, resolvers. */
export const notificationFeature: Feature = {
  title: 'Notifications',
  tables: [notificationsByUser, notificationGroups, notificationMembers, notifiedByTweet],
  resolvers: [UserNotificationsResolver, NotificationResolver, NotificationSubscription, ...actorResolvers],
  nodeTypes: {
    Notification: {
      key: 'notificationId',
      reads: [],
      load: (_, notificationId) => Promise.resolve({ notificationId }),
      shown: { reads: RESERVED_FOR_NODE, to: ownNotification },
    },
  },
};
