import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { readsOfBadge } from '../../features/notification/notification-reads';
import { notificationList } from '../../features/notification/notification-list';
import { countUnread } from '../../features/notification/notification-view';
import { UnreadCount } from '../../features/notification/notification.type';
import { HIDDEN, hiddenByUser, NO_TARGET } from '../../features/hidden/hidden.table';
import { writeOf } from '../../kit/cassandra/write';
import { requireWriter } from '../../features/viewer/viewer';
import { badArgument } from '../../kit/base/errors';
import { Reads } from '../../kit/cost/reads';
import { Bounded } from '../../kit/input/input-bounds';
import { decodeCursor } from '../../kit/lists/cursor';
import type { MutationContext } from '../mutation-context';

/** The result of marking notifications as seen. */
@ObjectType({ simpleResolvers: true, description: 'The result of `markNotificationsSeen`.' })
class MarkNotificationsSeenPayload {
  @Field(() => UnreadCount, { description: 'How many are left.' })
  unreadNotifications: UnreadCount;
}

/** The mutations of the caller's notifications. */
@Resolver()
export class NotificationMutations {
  @Reads(...readsOfBadge(99))
  @Mutation(() => MarkNotificationsSeenPayload, {
    nullable: true,
    description:
      "Marks the caller's notifications as seen up to a position, on all devices; an earlier position changes nothing. Fails with `UNAUTHENTICATED` without a user, or `BAD_USER_INPUT`.",
  })
  async markNotificationsSeen(
    @Bounded({ maxLength: 200 })
    @Arg('until', () => String, {
      description:
        'A cursor of `notifications` or of `notificationReceived`: that of the newest notification that was seen.',
    })
    until: string,
    @Ctx() context: MutationContext,
  ) {
    const userId = await requireWriter(context.viewer);
    const { key } = decodeCursor(notificationList(context.load, userId).name, until, 'until');
    const [seenAt, seenId] = key;
    if (!(seenAt instanceof Date) || typeof seenId !== 'string' || key.length !== 2)
      throw badArgument('until', 'must be a cursor of your notifications.');
    // No notification is in the future, and a marker there would hide later ones.
    const at = Math.min(Number(seenAt), Date.now());
    // The moment is the write time, too, so that the marker only moves forward, in whatever order marks come. If two ids have one
    // millisecond, Cassandra keeps the greater one.
    const marker = {
      viewerId: userId,
      kind: HIDDEN.seen,
      targetId: NO_TARGET,
      hiddenAt: new Date(at),
      seenId,
    };
    const { query, params } = writeOf(hiddenByUser, marker, { at: at * 1000 });
    await context.writeServices.database.write(query, params);
    context.load.forget();
    return { unreadNotifications: await countUnread(context, userId) };
  }
}
