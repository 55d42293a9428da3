import { HIDDEN, hiddenByUser, MAX_HIDDEN_ROWS, rootOfThread } from '../../features/hidden/hidden.table';
import { createLoad } from '../../kit/reads/load';
import { exportAtOnce, type ExportedPart } from '../exported';

/** The threads of which a person wants no notifications. Notifications themselves follow from the acts of others. */
export const notificationExported: readonly ExportedPart[] = [
  exportAtOnce('muted-threads', [hiddenByUser], async (database, userId) => {
    const rows = await createLoad(database)(hiddenByUser.page, { viewerId: userId, limit: MAX_HIDDEN_ROWS });
    return rows.flatMap(({ kind, targetId, hiddenAt: mutedAt, ended }) =>
      kind === HIDDEN.thread && ended !== true ? [{ tweetId: rootOfThread(targetId), mutedAt }] : [],
    );
  }),
];
