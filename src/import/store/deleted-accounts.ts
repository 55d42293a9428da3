import {
  accountDeletions,
  deletionReceipts,
  isLeaving,
  type AccountDeletionRow,
} from '../../features/account/account.table';
import { receiptOf } from '../../features/account/receipt';
import type { Database } from '../../kit/cassandra/database';
import { readMany } from '../../kit/reads/load';

/** Whether the deletion of an account removes rows, or has done so. */
export function hasBegun(row: AccountDeletionRow | null): boolean {
  return row?.state === 'started' || row?.state === 'removed';
}

/** Those of some users whose accounts were deleted here, or are to be, as `isDeleted` says: nothing brings them back. */
export async function findDeletedAccounts(
  database: Database,
  userIds: readonly string[],
  isDeleted: (row: AccountDeletionRow | null) => boolean = isLeaving,
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
    userIds.filter((_, index) => receipts[index] != null || isDeleted(deletions[index] ?? null)),
  );
}
