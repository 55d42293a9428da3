import { bucketList } from '../../kit/lists/bucket-list';
import type { List } from '../../kit/lists/list-parts';
import type { Load } from '../../kit/reads/load';
import { notificationsByUser, type NotificationRow } from './notification.table';

/** The position of a notification in the list of its user. */
export function notificationPosition({
  listedAt,
  notificationId,
}: Pick<NotificationRow, 'listedAt' | 'notificationId'>): readonly [Date, string] {
  return [listedAt, notificationId];
}

/** All notifications of a user, whether the user may see them or not. */
export function notificationList(load: Load, userId: string): List<NotificationRow> {
  return bucketList(load, notificationsByUser, { userId }, notificationPosition);
}
