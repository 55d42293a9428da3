import { accountDeletions, deletionReceipts, isLeaving } from '../../features/account/account.table';
import { receiptOf } from '../../features/account/receipt';
import type { Database } from '../../kit/cassandra/database';
import { readMany } from '../../kit/reads/load';

/** Finds those of some users whose accounts were deleted here, or are to be: nothing brings them back. */
export async function findDeletedAccounts(
  database: Database,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const [receipts, deletions] = await Promise.all([
    readMany(
      database,
      deletionReceipts.get,
      userIds.map((userId) => ({ receipt: receiptOf(userId) })),
    ),
    readMany(
      database,
      accountDeletions.get,
      userIds.map((userId) => ({ userId })),
    ),
  ]);
  return new Set(
    userIds.filter((_, index) => receipts[index] != null || isLeaving(deletions[index] ?? null)),
  );
}
