import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../kit/cassandra/database';
import { writeOf } from '../../kit/cassandra/write';
import { createLoad } from '../../kit/reads/load';
import { growingTask, type DeclaredHandler, type TaskRun } from '../../kit/work/handler';
import type { Task } from '../../kit/work/outbox.table';
import { deletionReceipts } from '../../features/account/account.table';
import { receiptOf } from '../../features/account/receipt';
import { DELETION_PHASES, type DeletedAccount, type DeletionPart } from '../account-deletion';
import type { WriteFeature } from '../write-feature';
import type { WriteServices } from '../write-services';
import { decideDeletion, type Deletion } from './request-deletion';
import { isTaskAbout } from './task-people';

/** The kinds of the tasks by which accounts are deleted. */
export const DELETE_ACCOUNT = 'deleteAccount';
export const SWEEP = 'sweepAfterLeaving';

/** After how many milliseconds it is first looked again whether the tasks about a person have ended, and how often at least. */
const [MIN_LOOK_MS, MAX_LOOK_MS] = [250, 4000];
/** About how many acts may be under way: so often it is waited for their tasks, because a look reads all tasks of all servers. */
const ACTS_AT_ONCE = 1000;
/** The most rows between two checkpoints: a page of acts, each of which reads and writes some ten rows. */
const ROWS_PER_CHECKPOINT = 2000;

/** How far a deletion has come. */
interface Progress {
  /** The time of the last decision. If the deletion has begun again since, it does so with the first part. */
  readonly decidedAt: number;
  /** The name of the part that is being done, and where it goes on. Parts come in a fixed order. */
  readonly part: string | null;
  readonly after: string;
  /** How many rows of which tables were removed. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Deletes an account once its time has come, unless that was cancelled. It goes on where it was interrupted. */
export function deleteAccountHandler(
  writeServices: WriteServices,
  features: readonly WriteFeature[],
): DeclaredHandler {
  const parts = partsInOrder(features);
  const work = {
    rows: ROWS_PER_CHECKPOINT,
    person: ({ userId }: Readonly<Record<string, string>>) => userId,
    sameAs: ({ userId = '' }: Readonly<Record<string, string>>) => userId,
  };
  return growingTask(work, async ({ userId = '' }, task) => {
    const before = task.checkpoint === null ? null : (JSON.parse(task.checkpoint) as Progress);
    let deletion = await start(writeServices.database, userId);
    while (deletion?.state === 'started')
      deletion = await removeAll(writeServices, parts, { ...deletion, userId }, before, task);
    if (deletion?.state === 'removed') await writeServices.outbox.leaveToTask(SWEEP, {});
  });
}

/** Removes all parts, and decides that they are removed unless the deletion has begun again. Resolves to the decision. */
async function removeAll(
  writeServices: WriteServices,
  parts: readonly DeletionPart[],
  deletion: Deletion & DeletedAccount,
  before: Progress | null,
  task: TaskRun,
): Promise<Deletion | null> {
  const { database } = writeServices;
  const { userId, changedAt } = deletion;
  const progress =
    before?.decidedAt === Number(changedAt)
      ? before
      : { decidedAt: Number(changedAt), part: null, after: '', counts: before?.counts ?? {} };
  const counts = await removeParts(writeServices, parts, deletion, progress, task);
  await writeReceipt(database, userId, deletion, counts);
  return decideDeletion(database, userId, (now) =>
    now?.state === 'started' && Number(now.changedAt) === Number(changedAt)
      ? { ...now, state: 'removed' }
      : null,
  );
}

/** The parts of all features in the order of their phases. Throws if two have one name. */
export function partsInOrder(features: readonly WriteFeature[]): readonly DeletionPart[] {
  const parts = features.flatMap(({ accountDeletion: leaving = [] }) => leaving);
  const names = parts.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two parts of a deletion are named ${twice}: rename one of them.`);
  return DELETION_PHASES.flatMap((phase) => parts.filter((part) => part.phase === phase));
}

/** Begins a deletion, if its time has come. From then on it cannot be cancelled. Resolves to the decision; null if there is none. */
function start(database: Database, userId: string): Promise<Deletion | null> {
  const now = new Date();
  return decideDeletion(database, userId, (before) =>
    before?.state === 'requested' && before.startsAt <= now ? { ...before, state: 'started' } : null,
  );
}

async function removeParts(
  writeServices: WriteServices,
  parts: readonly DeletionPart[],
  account: DeletedAccount,
  before: Progress,
  task: TaskRun,
): Promise<Progress['counts']> {
  const { decidedAt } = before;
  const counts: Record<string, number> = { ...before.counts };
  const done = parts.findIndex(({ name }) => name === before.part);
  let phase = '';
  let underWay = 0;
  for (const [index, part] of parts.entries()) {
    if (index < done) continue;
    if (part.phase !== phase) await task.waitOutside(tasksEnded(writeServices, account.userId));
    phase = part.phase;
    const keep = (after: string) =>
      task.saveCheckpoint(JSON.stringify({ decidedAt, part: part.name, after, counts } satisfies Progress));
    const from = index === done ? before.after : '';
    for await (const { after, rows } of part.remove(writeServices, account, from)) {
      for (const [table, removed] of Object.entries(rows)) {
        counts[table] = (counts[table] ?? 0) + removed;
        underWay += removed;
      }
      await keep(after);
      if (underWay < ACTS_AT_ONCE) continue;
      await task.waitOutside(tasksEnded(writeServices, account.userId));
      underWay = 0;
    }
  }
  await task.waitOutside(tasksEnded(writeServices, account.userId));
  return counts;
}

/** Resolves when no task about a person is stored, except those of the deletion. */
async function tasksEnded({ outbox }: WriteServices, userId: string): Promise<void> {
  for (let wait = MIN_LOOK_MS; ; wait = Math.min(2 * wait, MAX_LOOK_MS)) {
    const isAwaited = (task: Task) => task.kind !== DELETE_ACCOUNT && isTaskAbout(task, userId);
    if (!(await outbox.hasPending(isAwaited))) return;
    await sleep(wait, undefined, { signal: outbox.stopping });
  }
}

/** Writes what a deletion has removed. */
export async function writeReceipt(
  database: Database,
  userId: string,
  { requestedAt, changedAt }: Pick<Deletion, 'requestedAt' | 'changedAt'>,
  counts: Progress['counts'],
): Promise<void> {
  const receipt = receiptOf(userId);
  const before = await createLoad(database)(deletionReceipts.get, { receipt });
  const { query, params } = writeOf(deletionReceipts, {
    ...{ receipt, requestedAt, startedAt: before?.startedAt ?? changedAt, finishedAt: new Date() },
    counts: JSON.stringify(counts),
  });
  await database.write(query, params);
}

/**
 * Leaves the deletions whose time has come, and of which this server knows, to tasks, unless they have one. Any server may do that at any
 * time.
 */
export async function startDueDeletions({ database, leaving, outbox }: WriteServices): Promise<void> {
  const due = leaving.due(new Date());
  if (due.length === 0) return;
  const tasks = await outbox.pendingOf([SWEEP, DELETE_ACCOUNT]);
  const isPending = (kind: string, userId: string) =>
    tasks.some((task) => task.kind === kind && (kind === SWEEP || isTaskAbout(task, userId)));
  for (const userId of due) {
    const deletion = await decideDeletion(database, userId, () => null);
    if (deletion === null) leaving.settle(userId);
    else if (deletion.state === 'removed') {
      if (!isPending(SWEEP, userId)) await outbox.leaveToTask(SWEEP, {});
    } else if (deletion.state !== 'cancelled' && !isPending(DELETE_ACCOUNT, userId))
      await outbox.leaveToTask(DELETE_ACCOUNT, { userId });
  }
}
