import { encodeActor } from '../../features/notification/actor';
import { newestMembers } from '../../features/notification/notification-actors';
import { notificationTopic } from '../../features/notification/notification-topic';
import { MAX_NAMED_ACTORS, notificationsByUser } from '../../features/notification/notification.table';
import { createLoad } from '../../kit/reads/load';
import { arrivalWrite, isLateArrival } from '../../kit/subscriptions/late-arrivals';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { putAll } from '../../kit/writes/row-writer';
import type { WriteServices } from '../write-services';
import type { Group, GroupedAct } from './group';

/** The services by which the rows of groups are stored. */
export type ListingServices = Pick<WriteServices, 'database' | 'bulk' | 'signals'>;

/** Returns the row of a group in the list of a user; null if the group has no members. `only` is its only member, if that is known. */
export async function groupRow(
  { database }: Pick<ListingServices, 'database'>,
  group: Group,
  only: GroupedAct | null = null,
) {
  const { userId, groupId, kind, subjectId, rootId, memberCount, listedAt } = group;
  if (memberCount < 1 || listedAt === null) return null;
  const newest = only
    ? [{ actorId: only.actorId, at: only.since }]
    : await newestMembers(createLoad(database), groupId, MAX_NAMED_ACTORS);
  return {
    ...{ userId, listedAt, notificationId: groupId, kind, subjectId, rootId },
    ...{ actorCount: memberCount, actors: newest.map(encodeActor) },
  };
}

/**
 * Makes the list of a user show a group as it is. The version of the group is the write time, so the latest state stays, in whatever order
 * the writes come. `isMoved`: also removes it from where it was before. `isNews`: subscriptions are told.
 */
export async function storeGroup(
  services: ListingServices,
  group: Group,
  {
    isMoved,
    isNews,
    only = null,
  }: { readonly isMoved: boolean; readonly isNews: boolean; readonly only?: GroupedAct | null },
): Promise<void> {
  const { userId, groupId, listedAt, beforeAt, version } = group;
  if (listedAt === null) return;
  const row = await groupRow(services, group, only);
  const shown =
    row === null ? removalAt(group, listedAt) : writeOf(notificationsByUser, row, { at: version });
  const moved = isMoved && beforeAt !== null ? [removalAt(group, beforeAt)] : [];
  await putAll(services.bulk(), [shown, ...moved]);
  if (!isNews || row === null) return;
  if (isLateArrival(listedAt)) {
    const { query, params } = arrivalWrite(notificationsByUser.name, userId, 'row', groupId);
    await services.database.write(query, params);
  }
  services.signals.publish([notificationTopic(userId)]);
}

/** Removes a group from where it was listed once. */
export async function unlistGroup(
  { bulk }: Pick<ListingServices, 'bulk'>,
  group: Group,
  at: Date,
): Promise<void> {
  await putAll(bulk(), [removalAt(group, at)]);
}

function removalAt({ userId, groupId, version }: Group, listedAt: Date) {
  return removalOf(notificationsByUser, { userId, listedAt, notificationId: groupId }, version);
}
