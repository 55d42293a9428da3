import { conflict } from '../../kit/base/errors';
import type { Database } from '../../kit/cassandra/database';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import { writeOf } from '../../kit/cassandra/write';
import { monthOf } from '../../kit/lists/buckets';
import { shortTask, type DeclaredHandler } from '../../kit/work/handler';
import { deletionReceipts, leavingUsers } from '../../features/account/account.table';
import { LEAVING_TTL_SECONDS } from '../../features/account/account-deletion';
import { receiptOf } from '../../features/account/receipt';
import { readMany } from '../../kit/reads/load';
import type { WriteServices } from '../write-services';

/**
 * How long a deletion waits at least, in milliseconds: until all servers know that the account is leaving, and requests that began before
 * are done.
 */
const MIN_WAIT_MS = 10_000;
const DAY_MS = 86_400_000;

/** The deletion of an account, as it was decided. */
export interface Deletion {
  /** `requested` can be cancelled; `started` and `removed` cannot. */
  readonly state: 'requested' | 'cancelled' | 'started' | 'removed';
  readonly requestedAt: Date;
  readonly startsAt: Date;
  readonly changedAt: Date;
  readonly issuer: string | null;
  readonly subject: string | null;
}

const read =
  'SELECT state, requested_at AS "requestedAt", starts_at AS "startsAt", changed_at AS "changedAt", issuer, subject FROM account_deletions WHERE user_id = ?';
const write =
  'UPDATE account_deletions SET state = ?, requested_at = ?, starts_at = ?, changed_at = ?, issuer = ?, subject = ? WHERE user_id = ? IF changed_at = ?';

/** Decides on a deletion. `change` returns null to leave it as it is. Resolves to the deletion after that; null if there is none. */
export function decideDeletion(
  database: Database,
  userId: string,
  change: (before: Deletion | null) => Omit<Deletion, 'changedAt'> | null,
): Promise<Deletion | null> {
  return decideUntilWritten(database, { cql: read, params: [userId] }, ([row]) => {
    const before = (row as Deletion | undefined) ?? null;
    const changed = change(before);
    if (changed === null) return { writes: [], result: before };
    // The time is later than that of the last change, whatever the clock says: servers go by the order of these times.
    const changedAt = new Date(Math.max(Date.now(), Number(before?.changedAt ?? 0) + 1));
    const { state, requestedAt, startsAt, issuer, subject } = changed;
    const params = [state, requestedAt, startsAt, changedAt, issuer, subject, userId];
    return {
      writes: [{ query: write, params: [...params, before?.changedAt ?? null] }],
      result: { ...changed, changedAt },
    };
  });
}

/** The identity whose token asks for the deletion of its account. It is removed with the account. */
interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/**
 * Asks for the deletion of an account, which hides it before this resolves. Asking again changes nothing. Resolves to the
 * deletion.
 */
export function requestDeletion(
  writeServices: WriteServices,
  userId: string,
  { issuer, subject }: Identity,
): Promise<Deletion> {
  const { database, outbox, accountDeletionDays } = writeServices;
  return outbox.enqueueAndRun('leaving', { userId }, async () => {
    const requestedAt = new Date();
    const startsAt = new Date(Number(requestedAt) + Math.max(accountDeletionDays * DAY_MS, MIN_WAIT_MS));
    const asked = { state: 'requested', requestedAt, startsAt, issuer, subject } as const;
    const deletion = await decideDeletion(database, userId, (before) =>
      before === null || before.state === 'cancelled' ? asked : null,
    );
    await announce(writeServices, userId);
    return deletion ?? { ...asked, changedAt: requestedAt };
  });
}

/** Takes the deletion of an account back. Does nothing if there is none. Throws `CONFLICT` once it has begun. */
export async function cancelDeletion(writeServices: WriteServices, userId: string): Promise<void> {
  const refuseIfBegun = (deletion: Deletion | null) => {
    if (deletion?.state === 'started' || deletion?.state === 'removed')
      throw conflict('The deletion of this account has begun, and cannot be taken back.');
  };
  refuseIfBegun(await decideDeletion(writeServices.database, userId, () => null));
  await writeServices.outbox.enqueueAndRun('leaving', { userId }, async () => {
    const deletion = await decideDeletion(writeServices.database, userId, (before) =>
      before?.state === 'requested' ? { ...before, state: 'cancelled' } : null,
    );
    refuseIfBegun(deletion);
    await announce(writeServices, userId);
  });
}

/**
 * Lets the deletions of some accounts that have begun, or are complete, begin again, because rows of these were written meanwhile. Servers do
 * the rest. A deletion that still waits finds these rows anyhow.
 */
export async function restartDeletions(database: Database, userIds: readonly string[]): Promise<void> {
  const receipts = await readMany(
    database,
    deletionReceipts.get,
    userIds.map((userId) => ({ receipt: receiptOf(userId) })),
  );
  for (const [index, userId] of userIds.entries()) {
    const receipt = receipts[index] ?? null;
    await decideDeletion(database, userId, (before) => {
      if (before?.state === 'started' || before?.state === 'removed') return { ...before, state: 'started' };
      if (before !== null || receipt === null) return null;
      const { requestedAt, startedAt: startsAt } = receipt;
      return { state: 'started', requestedAt, startsAt, issuer: null, subject: null };
    });
    await tellDecision(database, userId);
  }
}

/** Tells all servers what was decided last about a deletion. */
async function announce({ database, leaving }: WriteServices, userId: string): Promise<void> {
  await tellDecision(database, userId);
  await leaving.look();
}

/** Stores what was decided last about a deletion where all servers look. */
export async function tellDecision(database: Database, userId: string): Promise<void> {
  const [row] = await database.readSerial(read, [userId]);
  if (row === undefined) return;
  const { state, startsAt, changedAt } = row as Deletion;
  // The time is that of the decision, so an earlier decision that is told later does not count.
  const told = {
    month: monthOf(changedAt),
    changedAt,
    userId,
    ...(state !== 'cancelled' && { startsAt }),
  };
  const { query, params } = writeOf(leavingUsers, told, {
    at: Number(changedAt) * 1000,
    ttl: LEAVING_TTL_SECONDS,
  });
  await database.write(query, params);
}

/** Tells all servers what an interrupted request or cancellation has decided. */
export function leavingHandler(writeServices: WriteServices): DeclaredHandler {
  return shortTask({ rows: 5, person: ({ userId }) => userId }, async ({ userId = '' }) => {
    // The decision gets a new time, because servers look for the decisions of the last seconds only. That of a deletion which has begun keeps
    // its own: with another one, all of it would be done again.
    await decideDeletion(writeServices.database, userId, (before) =>
      before?.state === 'requested' || before?.state === 'cancelled' ? before : null,
    );
    await announce(writeServices, userId);
  });
}
