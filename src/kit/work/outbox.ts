import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Write } from '../cassandra/database';
import { unavailable } from '../base/errors';
import { outbox, outboxWindows, type Task } from './outbox.table';
import { PARTS, readPending, readTasks, readWindows } from './pending';
import type { Worker } from './worker';
import { removalOf, writeOf } from '../data/write';

/** Does a kind of work, whatever of it was done before: it makes what is derived equal to what is true. */
export type Handler = (
  payload: Readonly<Record<string, string>>,
  task: {
    readonly createdAt: Date;
    /** What was last told as progress, by whoever worked at this before. */
    readonly progress: string | null;
    /** Keeps how far the work is, for whoever has to go on. */
    readonly tell: (progress: string) => Promise<void>;
  },
) => Promise<void>;

interface Planned {
  readonly task: Task;
  readonly write: Write;
}

/** Work that is written down before it begins, so that any server finishes what another one left. */
export interface Outbox {
  /** Aborted when this server ends: what takes long then throws, and is left for others to go on with. */
  readonly stopping: AbortSignal;
  /** A task, and the write that `keep` makes. Throws `UNAVAILABLE` once this server ends. */
  plan(kind: string, payload: Readonly<Record<string, string>>): Promise<Planned>;
  /** Writes a task down, in one logged batch with what makes it necessary. */
  keep(planned: Planned, writes?: readonly Write[]): Promise<void>;
  /**
   * Writes a task down, then acts. The task is done with the act or, where `rest` gives something, with that, behind the
   * caller; what fails is finished by its handler.
   */
  cover<T>(
    kind: string,
    payload: Readonly<Record<string, string>>,
    act: () => Promise<T>,
    rest?: (result: T) => Handler | null,
  ): Promise<T>;
  /** Finishes a task behind the caller: by its handler, or by `rest` where only that is left to be done. */
  finish(task: Task, rest?: Handler): void;
  /** Begins to finish tasks: this server's, and what servers left that are no more. */
  start(handlers: Readonly<Record<string, Handler>>): void;
  /** All tasks that are not done, by whatever server, as of at most so many milliseconds ago. */
  pending(maxAge?: number): Promise<readonly Task[]>;
  /** Tasks that this server is finishing, and since when the oldest of them waits. */
  load(): { readonly tasks: number; readonly oldest: Date | null };
  /** Calls back with each task that was done here. */
  watch(listener: (task: Task) => void): void;
  /** Resolves when nothing is under way here. */
  idle(): Promise<void>;
  /** Interrupts what is under way; whoever looks next takes it up. */
  stop(): Promise<void>;
}

const WINDOW = 30_000;
/**
 * Milliseconds between looks at what was left, and how long a window's end must be past to be closed. A task that takes
 * more than half of that to be written opens its window again; the other half is for clocks that differ.
 */
const SWEEP = 3000;
const CLOSING = 60_000;
/** How many tasks are finished at once. */
const AT_ONCE = 8;
const LONGEST_PAUSE = 10_000;
/** Kinds that may take minutes, and how many of them are finished at once: what is short does not wait for them. */
const LONG: readonly string[] = ['mode', 'delete'];
const LONG_AT_ONCE = 4;

/** A task that this server is to finish. */
interface Job {
  readonly task: Task;
  readonly rest: Handler | undefined;
  progress: string | null;
  failures: number;
}

function isLong({ task }: Job): boolean {
  return LONG.includes(task.kind);
}

/** Makes the outbox of a server. */
export function createOutbox(database: Database, worker: Worker, logger: Logger): Outbox {
  let handlers: Readonly<Record<string, Handler>> | undefined;
  const stopping = new AbortController();
  const isEnding = () => stopping.signal.aborted;
  let sweeping: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let open: { window: number; known: Promise<void> } | undefined;
  let read: { at: number; tasks: Promise<readonly Task[]> } | undefined;
  const listeners = new Set<(task: Task) => void>();
  /** All tasks that this server is to finish, of which some wait for their turn, or for being tried again. */
  const known = new Map<string, Task>();
  const waiting: Job[] = [];
  const underWay = new Map<Job, Promise<void>>();

  const openWindow = (window: number) => {
    if (open?.window !== window) {
      const known = put(windowOf({ window }));
      open = { window, known };
      known.catch(() => (open = undefined));
    }
    return open.known;
  };
  const windowOf = ({ window }: Pick<Task, 'window'>) => writeOf(outboxWindows, { part: 0, window });
  const put = async ({ query, params }: Write) => database.write(query, params);
  const done = async (task: Task) => {
    const { window, part, taskId } = task;
    await put(removalOf(outbox, { window, part, taskId }));
    for (const listener of listeners) listener(task);
  };

  const plan = async (kind: string, payload: Readonly<Record<string, string>>) => {
    worker.requireLease();
    if (isEnding()) throw unavailable(new Error('this server is ending'));
    const now = new Date();
    const task = {
      window: Math.floor(now.getTime() / WINDOW),
      part: Math.floor(Math.random() * PARTS),
      taskId: randomUUID(),
      kind,
      payload: JSON.stringify(payload),
      progress: null,
      worker: worker.instance,
      createdAt: now,
    };
    await openWindow(task.window);
    return { task, write: writeOf(outbox, task) };
  };
  const keep = async ({ task, write }: Planned, writes: readonly Write[] = []) => {
    if (writes.length === 0) await put(write);
    else await database.batch([write, windowOf(task), ...writes], { logged: true });
    // Where this server was held up, its window may have been closed as empty.
    if (Date.now() - Number(task.createdAt) > CLOSING / 2) await put(windowOf(task));
  };

  /** Works at a task; one that fails is tried again later and holds up nobody meanwhile. */
  const work = async (job: Job) => {
    const { task, rest } = job;
    const handler = rest ?? handlers?.[task.kind];
    if (handler === undefined) {
      known.delete(task.taskId);
      return;
    }
    const payload = JSON.parse(task.payload ?? '{}') as Readonly<Record<string, string>>;
    try {
      await handler(payload, {
        createdAt: task.createdAt ?? new Date(0),
        progress: job.progress,
        async tell(progress) {
          job.progress = progress;
          await put(writeOf(outbox, { ...task, progress }));
        },
      });
      await done(task);
      known.delete(task.taskId);
    } catch (error) {
      if (isEnding()) return;
      logger.warn({ err: error, kind: task.kind, payload }, 'work behind a mutation is tried again');
      const pause = Math.min(500 * 2 ** ++job.failures, LONGEST_PAUSE);
      setTimeout(() => {
        waiting.push(job);
        next();
      }, pause).unref();
    }
  };
  const next = () => {
    while (handlers !== undefined && underWay.size < AT_ONCE && !isEnding()) {
      const long = [...underWay.keys()].filter(isLong).length;
      const place = waiting.findIndex((job) => long < LONG_AT_ONCE || !isLong(job));
      const [job] = place < 0 ? [] : waiting.splice(place, 1);
      if (job === undefined) return;
      const ended = work(job).finally(() => {
        underWay.delete(job);
        next();
      });
      underWay.set(job, ended);
    }
  };
  const finish = (task: Task, rest?: Handler) => {
    if (known.has(task.taskId) || isEnding()) return;
    known.set(task.taskId, task);
    waiting.push({ task, rest, progress: task.progress, failures: 0 });
    next();
  };

  const sweep = async () => {
    if (!(await worker.others()).isFirst) return;
    const began = Date.now();
    const windows = await readWindows(database);
    const tasks = await readTasks(database, windows);
    // Looked for after the tasks: a server that has begun since is among them.
    const { instances } = await worker.others();
    for (const task of tasks) if (!instances.has(task.worker ?? '')) finish(task);
    const busy = new Set(tasks.map(({ window }) => window));
    for (const window of windows) {
      // As of a moment before its tasks were looked for: one that is opened again meanwhile stays open.
      if (!busy.has(window) && (window + 1) * WINDOW + CLOSING < began)
        await put(removalOf(outboxWindows, { part: 0, window }, (began - CLOSING / 2) * 1000));
    }
  };

  return {
    stopping: stopping.signal,
    plan,
    keep,
    finish,
    async cover(kind, payload, act, rest) {
      const planned = await plan(kind, payload);
      const { task } = planned;
      try {
        await keep(planned);
        // What nobody has begun may have been looked through meanwhile, and found to need nothing.
        worker.requireLease();
        const result = await act();
        const left = rest?.(result);
        if (left) finish(task, left);
        // Whoever finds it done later loses nothing but a little time.
        else
          done(task).catch(() => {
            finish(task);
          });
        return result;
      } catch (error) {
        finish(task);
        throw error;
      }
    },
    start(given) {
      handlers = given;
      next();
      let isFailing = false;
      const look = () => {
        sweeping = sweeping.then(sweep).then(
          () => {
            if (isFailing) logger.info('what was left is looked for again');
            isFailing = false;
          },
          (error: unknown) => {
            if (!isFailing) logger.warn({ err: error }, 'what was left cannot be looked for');
            isFailing = true;
          },
        );
      };
      look();
      timer = setInterval(look, SWEEP);
      timer.unref();
    },
    async pending(maxAge = 0) {
      if (read === undefined || read.at < Date.now() - maxAge)
        read = { at: Date.now(), tasks: readPending(database) };
      return read.tasks;
    },
    load() {
      const times = [...known.values()].flatMap(({ createdAt }) => createdAt ?? []);
      return {
        tasks: known.size,
        oldest: times.length === 0 ? null : new Date(Math.min(...times.map(Number))),
      };
    },
    watch(listener) {
      listeners.add(listener);
    },
    async idle() {
      for (;;) {
        if (known.size === 0) return;
        await Promise.race([...underWay.values(), sleep(50)]);
      }
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      waiting.length = 0;
      await sweeping;
      await Promise.all(underWay.values());
    },
  };
}
