import { leavingUsers, deletionReceipts } from '../../features/account/account.table';
import { receiptOf } from '../../features/account/receipt';
import { monthsSince } from '../../features/account/account-deletion';
import { resumableScan } from '../../kit/cassandra/scan';
import { removalOf } from '../../kit/cassandra/write';
import { createLoad } from '../../kit/reads/load';
import { growingTask, NOBODY, type DeclaredHandler, type TaskRun } from '../../kit/work/handler';
import { putAll } from '../../kit/writes/row-writer';
import type { Swept } from '../account-deletion';
import type { WriteFeature } from '../write-feature';
import type { WriteServices } from '../write-services';
import { writeReceipt } from './delete-account';
import { decideDeletion, tellDecision } from './request-deletion';

/** How many rows there are between two checkpoints. */
const ROWS_PER_CHECKPOINT = 20_000;
/** How many accounts a sweep is for at most: its checkpoint, which has counts of each, must not be larger than a task may have. */
export const MAX_ACCOUNTS = 150;

/** The tables of all features that are swept, in the order of the features: checkpoints have their numbers, so new ones come last. */
export function sweptBy(features: readonly WriteFeature[]): readonly Swept[] {
  return features.flatMap(({ swept = [] }) => swept);
}

/** How far a sweep has come. */
export interface SweepProgress {
  readonly table: number;
  readonly token: string;
  /** How many rows of which tables were changed, by the ids of all accounts that the sweep is for. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** When the deletion of each account last changed before the sweep. Sweeps that an earlier version began do not have it. */
  readonly begun?: Readonly<Record<string, number>>;
}

const MIN_TOKEN = String(-(2n ** 63n));

/**
 * Looks through the tables that keep ids here and there, once for all accounts whose other rows are removed, and completes the deletion of
 * these. It goes on where it was interrupted.
 */
export function sweepHandler(
  writeServices: WriteServices,
  features: readonly WriteFeature[],
): DeclaredHandler {
  const all = sweptBy(features);
  const work = { rows: ROWS_PER_CHECKPOINT, person: NOBODY, sameAs: () => 'all' };
  return growingTask(work, async (_payload, task) => {
    const progress =
      task.checkpoint === null
        ? await beginSweep(writeServices)
        : (JSON.parse(task.checkpoint) as SweepProgress);
    const userIds = Object.keys(progress.counts);
    if (userIds.length === 0) return;
    const counts = await sweep(writeServices, all, progress, task);
    for (const userId of userIds)
      await complete(writeServices, userId, counts[userId] ?? {}, progress.begun?.[userId]);
    if (userIds.length >= MAX_ACCOUNTS) await writeServices.outbox.leaveToTask('sweepAfterLeaving', {});
  });
}

/** Begins a sweep for the accounts that only wait for one, as far as this server knows. */
async function beginSweep({ database, leaving }: WriteServices): Promise<SweepProgress> {
  await leaving.look();
  const counts: Record<string, Record<string, number>> = {};
  const begun: Record<string, number> = {};
  for (const userId of leaving.due(new Date())) {
    const deletion = await decideDeletion(database, userId, () => null);
    if (deletion?.state === 'removed') [counts[userId], begun[userId]] = [{}, Number(deletion.changedAt)];
    if (Object.keys(counts).length === MAX_ACCOUNTS) break;
  }
  return { table: 0, token: MIN_TOKEN, counts, begun };
}

async function sweep(
  { database, outbox }: WriteServices,
  all: readonly Swept[],
  progress: SweepProgress,
  task: TaskRun,
): Promise<SweepProgress['counts']> {
  const counts: Record<string, Record<string, number>> = structuredClone(progress.counts);
  const userIds = new Set(Object.keys(counts));
  for (const [index, { table, columns, removals }] of all.entries()) {
    if (index < progress.table) continue;
    const { cql, rowsAtOnce } = resumableScan(table, [...table.partition, ...table.clustering, ...columns]);
    const from = index === progress.table ? progress.token : MIN_TOKEN;
    let rows = 0;
    for await (const row of database.stream(cql, [from], rowsAtOnce)) {
      for (const { query, params, userIds: found, isDecided } of removals(row, userIds)) {
        if (isDecided) await database.compareAndWrite([{ query, params }]);
        else await database.write(query, params);
        for (const userId of found) {
          const own = (counts[userId] ??= {});
          own[table.name] = (own[table.name] ?? 0) + 1;
        }
      }
      if (++rows % ROWS_PER_CHECKPOINT > 0) continue;
      outbox.stopping.throwIfAborted();
      const token = String(row['token']);
      await task.saveCheckpoint(
        JSON.stringify({ ...progress, table: index, token, counts } satisfies SweepProgress),
      );
    }
  }
  return counts;
}

const forget = 'DELETE FROM account_deletions WHERE user_id = ? IF changed_at = ?';
const readLeaving =
  'SELECT changed_at AS "changedAt", CAST(user_id AS text) AS "userId" FROM leaving_users WHERE month = ?';

/** Completes a deletion: its receipt also counts the rows that the sweep has removed, and nothing else of the deletion is left. */
async function complete(
  writeServices: WriteServices,
  userId: string,
  swept: Readonly<Record<string, number>>,
  begun: number | undefined,
): Promise<void> {
  const { database, leaving } = writeServices;
  const deletion = await decideDeletion(database, userId, () => null);
  // It has begun again, and may have come to its end again: an import has written rows meanwhile, which this sweep may not have seen.
  if (deletion !== null && deletion.state !== 'removed') return;
  if (deletion !== null && begun !== undefined && Number(deletion.changedAt) !== begun) return;
  if (deletion !== null) {
    const receipt = await createLoad(database)(deletionReceipts.get, { receipt: receiptOf(userId) });
    const counts = JSON.parse(receipt?.counts ?? '{}') as Record<string, number>;
    await writeReceipt(database, userId, deletion, { ...counts, ...swept });
  }
  for (const month of monthsSince(new Date(0))) {
    const own = [];
    for await (const row of database.stream(readLeaving, [month]))
      if (row['userId'] === userId)
        own.push(removalOf(leavingUsers, { month, changedAt: row['changedAt'] as Date, userId }));
    await putAll(writeServices.bulk(), own);
  }
  if (deletion !== null)
    await database.compareAndWrite([{ query: forget, params: [userId, deletion.changedAt] }]);
  // If the deletion has begun again just now, the row that told so may be among the removed ones.
  await tellDecision(database, userId);
  leaving.settle(userId);
  await leaving.look();
}
