import type { Database } from '../cassandra/database';

/** How long a claim lasts. Tasks that run for longer may be run by two servers at once, which changes nothing. */
const CLAIM_SECONDS = 86_400;

const claim = 'INSERT INTO task_claims (task_id, instance) VALUES (?, ?) IF NOT EXISTS USING TTL ?';
const takeOver = 'UPDATE task_claims USING TTL ? SET instance = ? WHERE task_id = ? IF instance = ?';
const read = 'SELECT instance FROM task_claims WHERE task_id = ?';

/**
 * Claims a task that any server may take. Resolves to the server that has it: this one, unless another has claimed it before
 * that is not lost. A claim only saves work: two servers that run one task do no harm.
 */
export async function claimTask(
  database: Database,
  taskId: string,
  instance: string,
  isLost: (holder: string) => Promise<boolean>,
): Promise<string | null> {
  const isNew = await database.compareAndWrite([{ query: claim, params: [taskId, instance, CLAIM_SECONDS] }]);
  if (isNew) return instance;
  const [row] = (await database.readSerial(read, [taskId])) as { readonly instance: string | null }[];
  const holder = row?.instance ?? null;
  if (holder === null || holder === instance || !(await isLost(holder))) return holder;
  const params = [CLAIM_SECONDS, instance, taskId, holder];
  return (await database.compareAndWrite([{ query: takeOver, params }])) ? instance : null;
}
