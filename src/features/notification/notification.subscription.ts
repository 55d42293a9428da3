import { Arg, Resolver, Root, Subscription } from 'type-graphql';
import { Reads, rowsOf, upTo } from '../../kit/cost/reads';
import { Bounded } from '../../kit/input/input-bounds';
import { cursorIn } from '../../kit/input/page-args';
import { ARRIVALS_AT_ONCE, lateArrivals } from '../../kit/subscriptions/late-arrivals';
import type { NewNode } from '../../kit/subscriptions/watched-list';
import { whileStaying } from '../viewer/while-staying';
import { NOTIFICATION_READS } from './notification-reads';
import { notificationGroups, type NotificationRow } from './notification.table';
import { NotificationEdge } from './notification.type';
import { receivedNotifications, type NotificationsContext } from './received-notifications';

/** The subscription to notifications. */
@Resolver()
export class NotificationSubscription {
  @Reads(
    ...NOTIFICATION_READS,
    rowsOf(notificationGroups),
    upTo(lateArrivals, () => ({ reads: 1, rows: ARRIVALS_AT_ONCE })),
  )
  @Subscription(() => NotificationEdge, {
    subscribe: async ({ args, context }) =>
      whileStaying(
        context as NotificationsContext,
        await receivedNotifications(
          context as NotificationsContext,
          cursorIn((args as { readonly after?: string | null }).after),
        ),
      ),
    description:
      "The caller's notifications as they are listed, and groups again when they are listed anew. After resuming, some may come again, but none is left out.",
  })
  notificationReceived(
    @Root() edge: NewNode<NotificationRow>,
    @Bounded({ maxLength: 200 })
    @Arg('after', () => String, {
      nullable: true,
      description:
        'A cursor of `notifications` or of an event: gives everything newer, oldest first, and then what comes. Without it, only what comes.',
    })
    _after: string | null,
  ) {
    return edge;
  }
}
