import { timeOfId } from '../../kit/base/snowflake';
import { bucketList } from '../../kit/lists/bucket-list';
import { collect } from '../../kit/lists/connection';
import { adjacentValue } from '../../kit/lists/cursor';
import type { List } from '../../kit/lists/list-parts';
import type { Load } from '../../kit/reads/load';
import {
  GROUP_ROW,
  notificationGroups,
  notificationsByUser,
  type NotificationRow,
} from './notification.table';

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

/**
 * Reads a notification of a user by its id; null if the list does not have it any more. The id of a tweet's or comment's notification tells
 * where it is listed; the row of a group tells where it was listed last.
 */
export async function notificationById(
  load: Load,
  userId: string,
  notificationId: string,
): Promise<NotificationRow | null> {
  const group = await load(notificationGroups.get, { ...GROUP_ROW, groupId: notificationId });
  if (group !== null && group.userId !== userId) return null;
  const listedAt = group === null ? timeOfId(notificationId) : group.listedAt;
  if (listedAt === null) return null;
  const from = { bucket: 0, key: [listedAt, adjacentValue(notificationId, 1)] };
  const { rows } = await collect(notificationList(load, userId), { limit: 0, backwards: false, from });
  const row = rows[0]?.row;
  return row?.notificationId === notificationId ? row : null;
}
