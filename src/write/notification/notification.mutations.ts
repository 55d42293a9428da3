import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { readsOfBadge } from '../../features/notification/notification-reads';
import { notificationList } from '../../features/notification/notification-list';
import { countUnread } from '../../features/notification/notification-view';
import { UnreadCount } from '../../features/notification/notification.type';
import { requireWriter } from '../../features/viewer/viewer';
import { VIEWER_READS } from '../../features/viewer/viewer-reads';
import { badInput } from '../../kit/base/errors';
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

/**
 * The position is the write time, so that the marker only moves forward, in whatever order marks come. Of two positions of one
 * millisecond, Cassandra keeps the greater id.
 */
const putSeen = 'UPDATE notification_states USING TIMESTAMP ? SET seen_at = ?, seen_id = ? WHERE user_id = ?';

/** What the caller does with notifications. */
@Resolver()
export class NotificationMutations {
  @Reads(...readsOfBadge(99), ...VIEWER_READS)
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
    const { key } = decodeCursor(notificationList(context.load, userId).name, until);
    const [seenAt, seenId] = key;
    if (!(seenAt instanceof Date) || typeof seenId !== 'string' || key.length !== 2)
      throw badInput('until must be a cursor of your notifications.');
    // Nothing is listed in the future, and a marker there would hide what comes.
    const at = Math.min(Number(seenAt), Date.now());
    const params = [String(at * 1000), new Date(at), seenId, userId];
    await context.writeServices.database.write(putSeen, params);
    context.load.forget();
    return { unreadNotifications: await countUnread(context, userId) };
  }
}
