import type { Context } from '../../context';
import { watch } from '../../kit/subscriptions/watch';
import type { Live } from '../../kit/subscriptions/live';
import type { NewNode, WatchedList } from '../../kit/subscriptions/watched-list';
import { requireViewer } from '../viewer/viewer';
import { notificationById, notificationPosition } from './notification-list';
import { notificationTopic } from './notification-topic';
import { openNotifications } from './notification-view';
import { notificationsByUser, type NotificationRow } from './notification.table';

/** The context in which a subscription begins. */
export interface NotificationsContext extends Context {
  readonly live: Live<Context>;
}

/** Gives the caller's new notifications as they are listed. Throws `UNAUTHENTICATED` without a user. */
export async function receivedNotifications(
  { live, viewer }: NotificationsContext,
  after: string | null,
): Promise<AsyncIterable<NewNode<NotificationRow>>> {
  const userId = await requireViewer(viewer);
  const watched: WatchedList<NotificationRow, NotificationRow, Context> = {
    async open(context) {
      const { list } = await openNotifications(context, userId);
      return { list, nodeOf: (row) => row };
    },
    topics: [notificationTopic(userId)],
    bucketAt: () => 0,
    late: {
      owner: userId,
      list: notificationsByUser.name,
      keyOf: notificationPosition,
      async *nodesOf(reading, arrivals) {
        for (const { item } of arrivals) {
          const row = await reading.read(async (context) => {
            const found = await notificationById(context.load, userId, item);
            if (found === null) return null;
            const { shown } = (await openNotifications(context, userId)).list;
            return (await shown?.(found, { left: 1 })) === true ? found : null;
          });
          if (row !== null) yield row;
        }
      },
    },
  };
  return watch(live, watched, after);
}
