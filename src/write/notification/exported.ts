import { MAX_MUTED_THREADS, notificationStates } from '../../features/notification/notification.table';
import { createLoad } from '../../kit/reads/load';
import type { ExportedPart } from '../exported';

/** The threads of which a person wants no notifications. Notifications themselves follow from the acts of others. */
export const notificationExported: readonly ExportedPart[] = [
  {
    name: 'muted-threads',
    tables: [notificationStates],
    async *pages(database, userId) {
      const rows = await createLoad(database)(notificationStates.page, { userId, limit: MAX_MUTED_THREADS });
      const lines = rows.flatMap(({ rootId, mutedAt }) =>
        mutedAt === null ? [] : [{ tweetId: rootId, mutedAt }],
      );
      if (lines.length > 0) yield { after: '1', lines };
    },
  },
];
