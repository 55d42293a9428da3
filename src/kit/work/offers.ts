import type { Database } from '../cassandra/database';
import { shuffled } from '../base/random';
import { readMany } from '../reads/load';
import { LANES } from './lane';
import { ANYONE, outbox, type Task } from './outbox.table';
import type { OutboxWindows } from './outbox-windows';
import { readOfferedWindows, readTasks } from './pending';
import { isTask } from './task-rows';
import type { RunOptions, TaskRunner } from './task-runner';
import type { Worker } from './worker';

/** How long a claim lasts. Tasks that run for longer may be run by two servers at once, which changes nothing. */
const CLAIM_SECONDS = 86_400;

const claim = 'INSERT INTO task_claims (task_id, instance) VALUES (?, ?) IF NOT EXISTS USING TTL ?';
const takeOver = 'UPDATE task_claims USING TTL ? SET instance = ? WHERE task_id = ? IF instance = ?';
const read = 'SELECT instance FROM task_claims WHERE task_id = ?';

/**
 * Claims a task that any server may take. Resolves to the server that has it: this one, unless another has claimed it before
 * that is not lost. A claim only saves work: two servers that run one task do no harm.
 */
async function claimTask(
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

/** How long a server leaves a task alone that another one has claimed, as long as that one is not silent. */
const CLAIMED_FOR_MS = 3000;
/** How many claimed tasks are remembered. */
const MAX_REMEMBERED = 10_000;

/** Tasks that any server may take from the database, if no queue is shared. The server that takes one claims it. */
interface Offers {
  /** Offers tasks that are stored. This server keeps how it would run them. */
  offer(tasks: readonly Task[], options?: RunOptions): Promise<void>;
  /** Takes as many tasks as there is room for: first those that this server has offered, then those of others. */
  look(where: 'here' | 'everywhere'): Promise<void>;
  /** The tasks that this server has offered and nobody has taken yet, as far as it knows. */
  tasks(): readonly Task[];
  /** Whether the last look everywhere found more than there was room for. */
  hasMore(): boolean;
}

/** A task that another server has claimed. */
interface Claimed {
  readonly holder: string | null;
  readonly at: number;
}

/** A task that may be taken, and how. */
interface Offered {
  readonly task: Task;
  /** The person whose task it is; undefined if it is nobody's. */
  readonly person: string | undefined;
  readonly options: RunOptions;
}

/** Returns tasks in the order in which their people take turns, one task each. Nobody's tasks count as one more person's. */
function inTurns(offered: readonly Offered[]): readonly Offered[] {
  const turns: Offered[][] = [];
  const counts = new Map<string | undefined, number>();
  for (const one of offered) {
    const turn = counts.get(one.person) ?? 0;
    counts.set(one.person, turn + 1);
    (turns[turn] ??= []).push(one);
  }
  return turns.flat();
}

/** Creates the offers of a server. */
export function createOffers(
  database: Database,
  windows: OutboxWindows,
  worker: Worker,
  runner: TaskRunner,
): Offers {
  const own = new Map<string, Offered>();
  const claimed = new Map<string, Claimed>();
  let hasMore = false;
  const isFree = ({ taskId }: Task) => {
    if (runner.has(taskId)) return false;
    const { holder, at } = claimed.get(taskId) ?? { holder: null, at: -Infinity };
    return performance.now() - at > CLAIMED_FOR_MS || (holder !== null && !worker.isHeard(holder));
  };
  const take = async ({ task, options }: Offered) => {
    const isLost = async (holder: string) => {
      const { instances, silent } = await worker.others();
      return !instances.has(holder) || silent.has(holder);
    };
    const holder = await claimTask(database, task.taskId, worker.instance, isLost);
    const isOwn = own.delete(task.taskId);
    if (holder === worker.instance) {
      // A task that another server has offered may be completed by now, or have gone on.
      const [now = null] = isOwn ? [task] : await readMany(database, outbox.get, [task]);
      if (now !== null && isTask(now)) runner.run(now, options);
    } else {
      if (claimed.size >= MAX_REMEMBERED) claimed.clear();
      claimed.set(task.taskId, { holder, at: performance.now() });
    }
  };
  /** Takes tasks while there is room in their lanes. Resolves to whether some are left. */
  const takeSome = async (from: readonly Offered[]) => {
    const room = { short: 0, long: 0, growing: 0 };
    for (const lane of LANES) room[lane] = runner.free(lane);
    const taken: Promise<void>[] = [];
    let isLeft = false;
    for (const offered of inTurns(from)) {
      const lane = runner.laneOf(offered.task.kind, offered.options);
      if (!isFree(offered.task)) continue;
      if (room[lane]-- > 0) taken.push(take(offered));
      else isLeft = true;
    }
    await Promise.all(taken);
    return isLeft;
  };
  /** The tasks for anyone that are stored and that this server has not offered itself, in random order. */
  const others = async (): Promise<Offered[]> => {
    const tasks = await readTasks(database, await readOfferedWindows(database));
    const free = tasks.filter(
      ({ worker: by, taskId, kind }) => by === ANYONE && !own.has(taskId) && runner.accepts(kind),
    );
    return shuffled(free).map((task) => ({ task, person: runner.personOf(task), options: {} }));
  };
  let looking: Promise<void> | undefined;
  let looks = 0;
  const hasRoom = () => LANES.some((lane) => runner.free(lane) > 0);
  const look = async (where: 'here' | 'everywhere') => {
    // If tasks are offered, or get room, during a look, another look takes them.
    for (let seen = -1; seen !== looks;) {
      seen = looks;
      if (hasRoom()) await takeSome([...own.values()]);
    }
    if (where === 'everywhere' && hasRoom()) hasMore = await takeSome(await others());
  };
  return {
    async offer(tasks, options = {}) {
      for (const task of tasks) {
        await windows.recordOffered(task.window);
        if (isFree(task)) own.set(task.taskId, { task, person: runner.personOf(task, options), options });
      }
    },
    async look(where) {
      looks++;
      looking ??= look(where).finally(() => (looking = undefined));
      await looking;
    },
    tasks: () => [...own.values()].map(({ task }) => task),
    hasMore: () => hasMore,
  };
}
