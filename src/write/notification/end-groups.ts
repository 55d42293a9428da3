import { NotificationKind } from '../../features/notification/notification-kind';
import { groupId, type Grouping } from '../../features/notification/group-id';
import { notificationGroups } from '../../features/notification/notification.table';
import { partitionRemovalOf } from '../../kit/cassandra/write';
import { putAll } from '../../kit/writes/row-writer';
import { endGroup, newestNumber } from './group';
import { storeGroup, type ListingServices } from './list-group';

/** Removes the notifications of likes and shares of a deleted tweet. */
export async function endGroupsOf(
  services: ListingServices,
  { tweetId: subjectId, authorId: userId }: { readonly tweetId: string; readonly authorId: string },
): Promise<void> {
  for (const kind of [NotificationKind.LIKE, NotificationKind.SHARE] as const)
    await endGroups(services, { userId, kind, subjectId });
}

/** Removes all groups of a grouping. The first one goes last, because it tells how many there are. */
async function endGroups(services: ListingServices, grouping: Grouping): Promise<void> {
  for (let number = await newestNumber(services.database, grouping); number >= 0; number--) {
    const group = await endGroup(services.database, grouping, number);
    if (group === null) continue;
    await storeGroup(services, group, { isMoved: true, isNews: false });
    const removal = partitionRemovalOf(notificationGroups, { groupId: groupId(grouping, number) });
    await putAll(services.bulk(), [removal]);
  }
}
