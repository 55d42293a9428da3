import { suspensions } from '../../features/moderation/moderation.table';
import { removalOf } from '../../kit/cassandra/write';
import { putAll } from '../../kit/writes/row-writer';
import type { DeletionPart } from '../account-deletion';

/** The suspensions of a person who leaves. The audit log keeps what moderators did. */
export const moderationDeletionParts: readonly DeletionPart[] = [
  {
    name: 'suspensions',
    phase: 'identity',
    tables: [suspensions],
    async *remove(writeServices, { userId }) {
      const own = [];
      for await (const row of writeServices.database.stream(suspensions.keys.all, []))
        if (row['userId'] === userId)
          own.push(removalOf(suspensions, { shard: 0, changedAt: row['changedAt'] as Date, userId }));
      await putAll(writeServices.bulk(), own);
      yield { after: '', rows: { suspensions: own.length } };
    },
  },
];
