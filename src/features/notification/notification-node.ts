import type { Context } from '../../context';
import { notificationById } from './notification-list';
import { NODE_COST } from './notification-reads';
import { openNotifications } from './notification-view';
import { notificationsByUser, type NotificationRow } from './notification.table';

/**
 * The notification that `node` is asked for, if it is one of the caller's user, who may see it; otherwise null. Services find notifications in
 * the lists of their users, because the id of a notification does not tell whose it is.
 */
export async function ownNotification(
  context: Context,
  { notificationId }: Pick<NotificationRow, 'notificationId'>,
): Promise<NotificationRow | null> {
  if (context.sight.isNobody) return null;
  await context.reserve({ field: '', table: notificationsByUser.name }, NODE_COST);
  const userId = await context.viewer.userId();
  const row = userId === null ? null : await notificationById(context.load, userId, notificationId);
  if (userId === null || row === null) return null;
  const { list } = await openNotifications(context, userId);
  return (await list.shown?.(row, { left: 1 })) === true ? row : null;
}
