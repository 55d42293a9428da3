import { afterOtherClocks } from '../../kit/base/after-other-clocks';
import {
  accountDeletions,
  accountExports,
  deletionReceipts,
  exportChunks,
} from '../../features/account/account.table';
import { receiptOf } from '../../features/account/receipt';
import { users } from '../../features/user/user.table';
import { conflict, notFound } from '../../kit/base/errors';
import type { Database } from '../../kit/cassandra/database';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import { createLoad } from '../../kit/reads/load';

/** The two who may ask for an export: its user, or an operator by `npm run export`. Each has an export of their own. */
export const EXPORT_ASKERS = ['user', 'command'] as const;
type ExportAsker = (typeof EXPORT_ASKERS)[number];

/** How many chunks are in a partition. */
export const CHUNKS_PER_BUCKET = 32;

const DAY_MS = 86_400_000;
/** The time within which a repeated request gets the export that is there, because making one reads all that a person has. */
const ASKED_AGAIN_MS = DAY_MS;
/** How long an export is kept, in milliseconds. */
const KEPT_MS = 7 * DAY_MS;
/** How much longer rows are kept than the export that they belong to, so that it is whole until its end. */
const SLACK_SECONDS = DAY_MS / 1000;

/** An export, as it was decided. */
interface ExportProgress {
  readonly run: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  /** When all of it was written; null until then. */
  readonly finishedAt: Date | null;
  /** How many chunks and lines are written, or a few more. */
  readonly chunks: number;
  readonly rows: number;
}

/** An export, and whose it is. */
export interface OwnedExport extends ExportProgress {
  readonly userId: string;
  readonly askedBy: ExportAsker;
}

const read =
  'SELECT run, requested_at AS "requestedAt", expires_at AS "expiresAt", finished_at AS "finishedAt", chunks, rows FROM account_exports WHERE user_id = ? AND asked_by = ?';
const write =
  'UPDATE account_exports USING TTL ? SET run = ?, requested_at = ?, expires_at = ?, finished_at = ?, chunks = ?, rows = ? WHERE user_id = ? AND asked_by = ? IF run = ?';
const remove = 'DELETE FROM account_exports WHERE user_id = ? AND asked_by = ? IF run = ?';
const removeBucket =
  'DELETE FROM export_chunks USING TIMESTAMP ? WHERE user_id = ? AND run = ? AND bucket = ?';

/** Returns how many more seconds the rows of an export are kept. */
export function keptSeconds({ expiresAt }: Pick<ExportProgress, 'expiresAt'>): number {
  return Math.max(1, Math.ceil((Number(expiresAt) - Date.now()) / 1000) + SLACK_SECONDS);
}

/**
 * Begins an export under the given id, unless one was begun within a day: then that is the export. Resolves to it. Throws if the user has
 * not all that can be exported.
 */
export async function beginExport(
  database: Database,
  userId: string,
  askedBy: ExportAsker,
  run: string,
): Promise<OwnedExport> {
  await requireWhole(database, userId);
  return decideUntilWritten(database, { cql: read, params: [userId, askedBy] }, async ([row]) => {
    const before = (row as ExportProgress | undefined) ?? null;
    const now = Date.now();
    if (before !== null && Number(before.requestedAt) > now - ASKED_AGAIN_MS)
      return { writes: [], result: { ...before, userId, askedBy } };
    if (before !== null) await removeChunks(database, userId, before.run);
    const [requestedAt, expiresAt] = [new Date(now), new Date(now + KEPT_MS)];
    const begun = { run, requestedAt, expiresAt, finishedAt: null, chunks: 0, rows: 0, userId, askedBy };
    return { writes: [writeOfExport(begun, before?.run ?? null)], result: begun };
  });
}

/** Records how far an export is. Resolves to false if it is finished already, was removed, or another one has taken its place. */
export function recordProgress(database: Database, progress: OwnedExport): Promise<boolean> {
  const { query, params } = writeOfExport(progress, progress.run);
  return database.compareAndWrite([{ query: `${query} AND finished_at = null`, params }]);
}

function writeOfExport(to: OwnedExport, before: string | null) {
  const { run, requestedAt, expiresAt, finishedAt, chunks, rows, userId, askedBy } = to;
  const params = [run, requestedAt, expiresAt, finishedAt, chunks, rows, userId, askedBy, before];
  return { query: write, params: [keptSeconds(to), ...params] };
}

/** The export that somebody asked for; null if there is none. */
export async function findExport(
  database: Database,
  userId: string,
  askedBy: ExportAsker,
): Promise<OwnedExport | null> {
  const [row] = await database.readSerial(read, [userId, askedBy]);
  return row === undefined ? null : { ...(row as ExportProgress), userId, askedBy };
}

/** Removes the export that somebody asked for, with its chunks. Resolves to the numbers of removed rows by table. */
export async function removeExport(
  database: Database,
  userId: string,
  askedBy: ExportAsker,
): Promise<Readonly<Record<string, number>>> {
  const found = await findExport(database, userId, askedBy);
  if (found === null) return {};
  const chunks = await removeChunks(database, userId, found.run);
  await database.compareAndWrite([{ query: remove, params: [userId, askedBy, found.run] }]);
  return { [accountExports.name]: 1, [exportChunks.name]: chunks };
}

/** Removes all that is in an export. Resolves to how many chunks. */
export async function removeChunks(database: Database, userId: string, run: string): Promise<number> {
  let removed = 0;
  for (let bucket = 0; ; bucket++) {
    const count = await createLoad(database)(exportChunks.count, { userId, run, bucket });
    if (count === 0) return removed;
    await database.write(removeBucket, [String(afterOtherClocks()), userId, run, bucket]);
    removed += count;
  }
}

/**
 * Resolves to the username of somebody who has all that can be exported. Throws `NOT_FOUND` without such a user, and `CONFLICT` if the
 * account was deleted, or is being removed.
 */
export async function requireWhole(database: Database, userId: string): Promise<string> {
  const load = createLoad(database);
  const [user, deletion, receipt] = await Promise.all([
    load(users.get, { userId }),
    load(accountDeletions.get, { userId }),
    load(deletionReceipts.get, { receipt: receiptOf(userId) }),
  ]);
  if (receipt !== null || deletion?.state === 'removed')
    throw conflict(`The account of user ${userId} was deleted: nothing is left to export.`);
  if (deletion?.state === 'started')
    throw conflict(`The account of user ${userId} is being deleted, so it cannot be exported any more.`);
  if (user === null) throw notFound(`There is no user with the id ${userId}.`);
  return user.username;
}
