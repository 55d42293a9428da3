import { Field, Int, ObjectType } from 'type-graphql';
import { ConnectionOf, EdgeOf } from '../../kit/lists/connection-types';
import { DateTime } from '../../kit/input/date-time';
import { Node } from '../../kit/graphql/global-id';
import { timestamp } from '../../kit/cassandra/column';
import { connectionTypes, edge } from '../../kit/lists/connection-field';
import { user } from '../user/user.node';
import { NotificationKind } from './notification-kind';
import type { NotificationRow } from './notification.table';

/** A notification of the user. Likes and shares of one tweet, and follows, are one notification each for some hours. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'Something that happened to the user. The likes of one tweet within 12 hours are one notification; so are its shares, and so are follows.',
})
export class Notification extends Node implements NotificationRow {
  @Field(() => NotificationKind, { description: 'What it tells.' })
  kind: NotificationKind;

  @Field(() => DateTime, {
    description:
      'When it was listed: a group is listed anew, and is unseen again, at 1, 2, 3, 5, 10, 20, 50, … members, at most every five minutes.',
  })
  listedAt: Date;

  @Field(() => Int, {
    description:
      'How many people did it. All of them count, also those whom the user has blocked or muted since; `actors` shows those whom the user may see.',
  })
  actorCount: number;

  userId: string;
  notificationId: string;
  subjectId: string;
  rootId: string | null;
  actors: readonly string[] | null;
  bucket: number | null;
  isSplit: boolean | null;
}

/** The types of connections whose items are those who acted. */
export const { connection: NotificationActorConnection, resolvers: actorResolvers } = connectionTypes(
  { item: user, points: 'actorId', columns: { at: timestamp } },
  edge('NotificationActor', { at: 'When it was done.' }, 'Who did it.'),
);

/** A notification in its list. */
@ObjectType({ simpleResolvers: true })
export class NotificationEdge extends EdgeOf(() => Notification) {}

/** The notifications of a user. */
@ObjectType({ simpleResolvers: true })
export class NotificationConnection extends ConnectionOf(() => NotificationEdge) {
  @Field(() => [Notification], { description: 'The notifications of the page.' })
  nodes: Notification[];
}

/** How many notifications a user has not seen. */
@ObjectType({
  simpleResolvers: true,
  description:
    'How many notifications the user has not seen: as many as the list shows above what was marked as seen.',
})
export class UnreadCount {
  @Field(() => Int, { description: 'The number, 99 at most.' })
  count: number;

  @Field(() => Boolean, { description: 'Whether there may be more.' })
  isCapped: boolean;
}
