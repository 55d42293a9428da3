import { compareIds } from '../../src/kit/base/ids';
import { decodeNodeId } from '../../src/kit/graphql/global-id';
import type { Random } from '../../src/kit/base/random';
import type { Actor } from './actor';
import { answered } from './client';
import { markSeen, notificationsOf, type NotificationView } from './notification.operations';
import { pickOne } from './random';
import { must } from './violation';
import type { Mark } from './world';

/** Marks the actor's notifications as seen, up to one of the newest. */
export async function markAsSeen(actor: Actor, random: Random): Promise<void> {
  const { world, person, client } = actor;
  const { notifications } = await client.ask(notificationsOf, { id: person.id, first: 6 });
  const edge = pickOne(random, notifications.edges);
  if (edge === null) return;
  const variables = { until: edge.cursor };
  const settled = answered(markSeen, variables, await client.settle(markSeen, variables));
  world.noteAct(person.username, `markNotificationsSeen ${edge.node.id}`, settled);
  const mark = markOf(edge.node);
  const before = world.seen.get(person.username);
  if (before === undefined || isAfter(mark, before)) world.seen.set(person.username, mark);
  const { notifications: now } = await client.askOther(notificationsOf, { id: person.id, first: 6 });
  const again = now.edges.find(
    ({ node }) => node.id === edge.node.id && node.listedAt === edge.node.listedAt,
  );
  must('What was marked as seen must be seen at once', again?.node.isSeen !== false, { edge, again });
}

/** The position of a notification. */
export function markOf({ listedAt, id }: Pick<NotificationView, 'listedAt' | 'id'>): Mark {
  return { listedAt: Date.parse(listedAt), id: decodeNodeId(id).id };
}

/** Whether a position is above another one. */
export function isAfter(mark: Mark, other: Mark): boolean {
  return (mark.listedAt - other.listedAt || compareIds(mark.id, other.id)) > 0;
}
