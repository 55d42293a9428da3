import { accountDeletions, deletionReceipts, isLeaving } from '../../features/account/account.table';
import { readLeaving } from '../../features/account/account-deletion';
import { receiptOf } from '../../features/account/receipt';
import type { Database } from '../../kit/cassandra/database';
import { readMany } from '../../kit/reads/load';
import { restartDeletions } from '../../write/account/request-deletion';

/** How many users whom an import names are remembered. Beyond that, only users whom a look has found leaving are checked. */
const MAX_REMEMBERED = 300_000;
/** The number of users from which all receipts are read, because there are hardly more. */
const MIN_SCANNED_USERS = 10_000;

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

/** The users whose accounts are being deleted, or were since the import began. Servers know them in the same way. */
export interface DeletedAccounts {
  /** Looks for such users now. They are few, and the rows of each stay until the deletion is complete. */
  look(this: void): Promise<void>;
  has(this: void, userId: string): boolean;
  /** Remembers users of whom the import writes rows. */
  remember(this: void, userIds: Iterable<string>): void;
  /** Returns the users whose deletion has begun, and may not have seen all rows of the import. Call it when these rows are stored. */
  gone(this: void): Promise<ReadonlySet<string>>;
  /** Lets the deletions of the users of `gone` begin again. Call it when nothing more is stored. */
  restart(this: void): Promise<void>;
}

/** Creates what an import knows of deleted accounts. */
export function createDeletedAccounts(database: Database): DeletedAccounts {
  const leaving = new Set<string>();
  const named = new Set<string>();
  const look = async () => {
    for await (const { userId, isHidden } of readLeaving(database))
      if (isHidden) leaving.add(userId);
      else leaving.delete(userId);
  };
  const gone = async () => {
    await look();
    const isNamed = (userId: string) => named.has(userId) || named.size === MAX_REMEMBERED;
    const known = [...leaving].filter(isNamed);
    const deletions = await readMany(
      database,
      accountDeletions.get,
      known.map((userId) => ({ userId })),
    );
    const begun = deletions.flatMap((row) =>
      row?.state === 'started' || row?.state === 'removed' ? row.userId : [],
    );
    return new Set([...begun, ...(await readReceipts(database, [...new Set([...named, ...known])]))]);
  };
  return {
    look,
    has: (userId) => leaving.has(userId),
    remember(userIds) {
      for (const userId of userIds) if (named.size < MAX_REMEMBERED) named.add(userId);
    },
    gone,
    async restart() {
      await restartDeletions(database, [...(await gone())]);
      named.clear();
    },
  };
}

/** Finds those of some users whose accounts were deleted. */
async function readReceipts(database: Database, userIds: readonly string[]): Promise<string[]> {
  const users = new Map(userIds.map((userId) => [receiptOf(userId), userId]));
  const found: string[] = [];
  const add = (receipt: unknown) => {
    const userId = users.get(String(receipt));
    if (userId !== undefined) found.push(userId);
  };
  if (users.size < MIN_SCANNED_USERS) {
    const keys = Array.from(users.keys(), (receipt) => ({ receipt }));
    for (const row of await readMany(database, deletionReceipts.get, keys)) add(row?.receipt);
  } else {
    for await (const { receipt } of database.stream(deletionReceipts.keys.all, [])) add(receipt);
  }
  return found;
}
