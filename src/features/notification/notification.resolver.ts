import { Args, ArgsType, Ctx, Field, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { selects } from '../../kit/cost/selects';
import { comment } from '../news/news.node';
import { Comment } from '../news/news.type';
import type { Context } from '../../context';
import { ForwardArgs } from '../../kit/input/page-args';
import { Bounded } from '../../kit/input/input-bounds';
import { connect, connectNodes } from '../../kit/lists/connection';
import { pageOf } from '../../kit/lists/page';
import { ONE_PARTITION, pagesOf } from '../../kit/lists/page-bounds';
import { oncePerRequest, Reads, rowsOf } from '../../kit/cost/reads';
import { NullOnlyByError } from '../../kit/input/null-only-by-error';
import { Tweet } from '../tweet/tweet.type';
import { tweet } from '../tweet/tweet.node';
import { tweets } from '../tweet/tweet.table';
import { users } from '../user/user.table';
import { user } from '../user/user.node';
import { User } from '../user/user.type';
import { requireOwner } from '../viewer/only-owner';
import { NO_SUBJECT, NotificationKind } from './notification-kind';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { hiddenSetOf } from '../hidden/sight/sight';
import { FIRST_ACTOR_READS, LEARNED, NOTIFICATION_READS, readsOfBadge, STATE } from './notification-reads';
import { describe } from './notification-text';
import { countUnread, firstVisibleActor, isSeenIn, openActors, openNotifications } from './notification-view';
import { notificationGroups } from './notification.table';
import {
  Notification,
  NotificationActorConnection,
  NotificationConnection,
  UnreadCount,
} from './notification.type';

const ONLY_OWNER = 'Only its user and services can read notifications.';

/** The kinds of notifications on a page, and the page. */
@ArgsType()
class NotificationArgs extends ForwardArgs {
  @Bounded({ maxItems: 20 })
  @Field(() => [NotificationKind], { nullable: true, description: 'Only these kinds; all by default.' })
  kinds?: NotificationKind[] | null;
}

/** The notifications of a user. */
@Resolver(() => User)
export class UserNotificationsResolver {
  @Reads(...NOTIFICATION_READS)
  @NullOnlyByError()
  @FieldResolver(() => NotificationConnection, {
    nullable: true,
    description:
      'What happened to the user, the last listed first; reading it marks nothing as seen. Only the user and services can read it; others get `FORBIDDEN`.',
  })
  async notifications(
    @Root() { userId }: User,
    @Args(() => NotificationArgs) args: NotificationArgs,
    @Ctx() context: Context,
  ) {
    await requireOwner(context.viewer, userId, ONLY_OWNER);
    return connectNodes((await openNotifications(context, userId, args.kinds)).list, args);
  }

  @Reads(...readsOfBadge(99))
  @NullOnlyByError()
  @FieldResolver(() => UnreadCount, {
    nullable: true,
    description:
      'How many of `notifications` are above what was marked as seen. Only the user and services can read it; others get `FORBIDDEN`.',
  })
  async unreadNotifications(@Root() { userId }: User, @Ctx() context: Context) {
    await requireOwner(context.viewer, userId, ONLY_OWNER);
    return countUnread(context, userId);
  }
}

/** The fields of a notification that are not in its row. */
@Resolver(() => Notification)
export class NotificationResolver {
  @Reads(...FIRST_ACTOR_READS, rowsOf(users))
  @FieldResolver(() => String, {
    description:
      'What happened, as one plain sentence in English: what to show for a kind that a client does not know.',
  })
  async text(@Root() row: Notification, @Ctx() context: Context) {
    const actor = await firstVisibleActor(context, await context.sight(), row);
    const found = actor && (await user.find(context.load, actor.actorId));
    return describe(row, found?.name ?? null);
  }

  @Reads(oncePerRequest(STATE))
  @FieldResolver(() => Boolean, {
    description: 'Whether the user has marked it as seen where it is listed now.',
  })
  async isSeen(@Root() row: Notification, @Ctx() context: Context) {
    return isSeenIn(await hiddenSetOf(context.load, row.userId), row);
  }

  @Reads(rowsOf(tweets))
  @FieldResolver(() => Tweet, {
    nullable: true,
    description:
      'The tweet that was liked or shared; for a reply, mention or quote, that tweet itself. Null for follows and comments.',
  })
  tweet(@Root() { kind, subjectId }: Notification, @Ctx() { load }: Context) {
    return subjectId === NO_SUBJECT || kind === NotificationKind.COMMENT
      ? null
      : tweet.findShown(load, subjectId);
  }

  @Reads(rowsOf(comment.sized))
  @FieldResolver(() => Comment, { nullable: true, description: 'The comment; null for other kinds.' })
  comment(
    @Root() { kind, subjectId }: Notification,
    @Ctx() { load }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    if (kind !== NotificationKind.COMMENT) return null;
    return comment.findShown(load, subjectId, (field) => selects(info, 'Comment', field));
  }

  @Reads(pagesOf(notificationGroups, ONE_PARTITION), LEARNED, ...SIGHT_READS)
  @FieldResolver(() => NotificationActorConnection, {
    description: 'Those who did it and whom the user may see, newest first.',
  })
  async actors(
    @Root() row: Notification,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() context: Context,
  ) {
    const list = await openActors(context, row);
    return connect(
      list,
      pageOf(list.name, args),
      ({ actorId, at }, cursor) => ({ cursor, at, node: actorId }),
      ({ actorId }) => actorId,
    );
  }
}
