import { NO_SUBJECT, NotificationKind } from '../../features/notification/notification-kind';
import type { Grouping } from '../../features/notification/group-id';
import { notificationGroups, notificationMembers } from '../../features/notification/notification.table';
import { afterOtherClocks } from '../../kit/base/after-other-clocks';
import { partitionRemovalOf, removalOf } from '../../kit/cassandra/write';
import { putAll } from '../../kit/writes/row-writer';
import { endGroup, newestNumber, type Group } from './group';
import { storeGroup, type ListingServices } from './list-group';

const readMembers =
  'SELECT CAST(actor_id AS text) AS "actorId" FROM notification_groups WHERE group_id = ? AND section = 0';

/** An act that its receiver was told of: the groups that were stored for it, and who has done it. */
interface LateAct {
  readonly stored: readonly Group[];
  readonly actorId: string;
}

/**
 * Removes the notifications of likes and shares of a deleted tweet, also those of an act that was told perhaps after the deletion has removed
 * them: its removals, which are dated ahead, then hide the groups' own rows, but not where they are listed.
 */
export async function endGroupsOf(
  services: ListingServices,
  { tweetId: subjectId, authorId: userId }: { readonly tweetId: string; readonly authorId: string },
  { stored, actorId }: LateAct = { stored: [], actorId: '' },
): Promise<void> {
  for (const kind of [NotificationKind.LIKE, NotificationKind.SHARE] as const)
    await endGroups(services, { userId, kind, subjectId });
  for (const group of stored) {
    await removeGroup(services, { ...group, memberCount: 0, isClosed: true, version: group.version + 1 });
    await putAll(services.bulk(), [removalOf(notificationMembers, { ...group, actorId })]);
  }
}

/** Removes all groups of followers of somebody who leaves. */
export function endFollowGroups(services: ListingServices, userId: string): Promise<void> {
  return endGroups(services, { userId, kind: NotificationKind.FOLLOW, subjectId: NO_SUBJECT });
}

/**
 * Removes all groups of a grouping, with the rows that name the groups of members. The first group goes last, because it tells how many
 * there are.
 */
async function endGroups(services: ListingServices, grouping: Grouping): Promise<void> {
  for (let number = await newestNumber(services.database, grouping); number >= 0; number--) {
    const group = await endGroup(services.database, grouping, number);
    if (group !== null) await removeGroup(services, group);
  }
}

/** Removes the rows of a group that has ended. */
async function removeGroup(services: ListingServices, group: Group): Promise<void> {
  await storeGroup(services, group, { isMoved: true, isNews: false });
  // The members of the first group have no rows that name their group.
  if (group.number > 0) await forgetMembers(services, group);
  const removal = partitionRemovalOf(notificationGroups, { groupId: group.groupId }, afterOtherClocks());
  await putAll(services.bulk(), [removal]);
}

async function forgetMembers({ database, bulk }: ListingServices, group: Group): Promise<void> {
  const { userId, kind, subjectId } = group;
  const writer = bulk();
  for await (const { actorId } of database.stream(readMembers, [group.groupId]))
    await writer.put(removalOf(notificationMembers, { userId, kind, subjectId, actorId: String(actorId) }));
  await writer.flush();
}
