import type { Database } from '../kit/cassandra/database';
import { ANYONE } from '../kit/work/outbox.table';
import { readPending } from '../kit/work/pending';
import { readAlive } from '../kit/work/worker';

/** The servers of a database and the tasks that they have not completed, for people who run servers. */
interface Status {
  /** The servers that are alive, or were within the last 15 seconds. */
  readonly servers: readonly {
    readonly worker: number;
    readonly instance: string;
    /** How many tasks it has enqueued that are not completed. */
    readonly tasks: number;
  }[];
  /** Tasks that are not completed. */
  readonly tasks: {
    readonly total: number;
    readonly byKind: Readonly<Record<string, number>>;
    /** How many belong to servers that are gone; another server will run them. */
    readonly left: number;
    /** When the oldest was enqueued; null if there is none. */
    readonly oldest: Date | null;
    /** The age of the oldest task in seconds: how late a timeline may be. 0 if there is none. */
    readonly oldestSeconds: number;
  };
}

/** Reads the status of all servers of a database, and works without any server. */
export async function readStatus(database: Database): Promise<Status> {
  // Tasks are read first: a server that enqueues one of them is then among the servers alive.
  const tasks = await readPending(database);
  const alive = await readAlive(database);
  const byKind = countBy(tasks.map(({ kind }) => kind));
  const byInstance = countBy(tasks.map(({ worker }) => worker ?? ''));
  const servers = alive.map(({ number, instance }) => ({
    worker: number,
    instance,
    tasks: byInstance.get(instance) ?? 0,
  }));
  const times = tasks.flatMap(({ createdAt }) => createdAt ?? []);
  const oldest = times.reduce<Date | null>((first, at) => (first !== null && first <= at ? first : at), null);
  return {
    servers,
    tasks: {
      total: tasks.length,
      byKind: Object.fromEntries([...byKind].sort(([one], [other]) => (one < other ? -1 : 1))),
      left:
        servers.reduce((rest, server) => rest - server.tasks, tasks.length) - (byInstance.get(ANYONE) ?? 0),
      oldest,
      oldestSeconds: oldest === null ? 0 : Math.max(0, Date.now() - Number(oldest)) / 1000,
    },
  };
}

/** Formats a status as a few lines of text. */
export function describeStatus({ servers, tasks }: Status): string {
  const kinds = Object.entries(tasks.byKind).map(([kind, count]) => `${count} ${kind}`);
  const lines = [
    `servers alive   ${servers.length}`,
    ...servers.map(({ worker, instance, tasks }) => `  worker ${worker}  ${instance}  ${tasks} tasks`),
    `tasks           ${tasks.total}${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`,
    `oldest task     ${tasks.oldestSeconds.toFixed(1)} s${tasks.oldest ? `, since ${tasks.oldest.toISOString()}` : ''}`,
    `left behind     ${tasks.left}${tasks.left > 0 ? whoTakesIt(servers.length) : ''}`,
  ];
  return `${lines.join('\n')}\n`;
}

function whoTakesIt(servers: number): string {
  return servers > 0 ? ', taken up within 20 s' : ', taken up when a server starts';
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
