import { MAX_MUTED_THREADS, notificationStates } from '../../features/notification/notification.table';
import { createLoad } from '../../kit/reads/load';
import { exportAtOnce, type ExportedPart } from '../exported';

/** The threads of which a person wants no notifications. Notifications themselves follow from the acts of others. */
export const notificationExported: readonly ExportedPart[] = [
  exportAtOnce('muted-threads', [notificationStates], async (database, userId) => {
    const rows = await createLoad(database)(notificationStates.page, { userId, limit: MAX_MUTED_THREADS });
    return rows.flatMap(({ rootId, mutedAt }) => (mutedAt === null ? [] : [{ tweetId: rootId, mutedAt }]));
  }),
];
