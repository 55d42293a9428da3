import type { Database } from '../kit/cassandra/database';
import { readPending } from '../kit/work/pending';
import { readAlive } from '../kit/work/worker';

/** What servers are there and what they have to finish, for people who run them. */
export interface Status {
  /** The servers that are alive, or were within the last 15 seconds. */
  readonly servers: readonly {
    readonly worker: number;
    readonly instance: string;
    /** Pieces of work that it began and that are not done. */
    readonly tasks: number;
  }[];
  /** Work that was begun and is not done. */
  readonly tasks: {
    readonly total: number;
    readonly byKind: Readonly<Record<string, number>>;
    /** Those whose servers are no more: another takes them up. */
    readonly left: number;
    readonly oldest: Date | null;
    /** The age of the oldest in seconds: how late a timeline may be. 0 when there is none. */
    readonly lagSeconds: number;
  };
}

/** Reads the status of all servers of a database; needs no server. */
export async function readStatus(database: Database): Promise<Status> {
  // Work first: a server that begins some in between is then among those that are alive.
  const tasks = await readPending(database);
  const alive = await readAlive(database);
  const byKind = countBy(tasks.map(({ kind }) => kind));
  const byInstance = countBy(tasks.map(({ worker }) => worker ?? ''));
  const servers = alive.map(({ worker, instance }) => ({
    worker,
    instance,
    tasks: byInstance.get(instance) ?? 0,
  }));
  const begun = tasks.flatMap(({ createdAt }) => createdAt ?? []);
  const oldest = begun.reduce<Date | null>((first, at) => (first !== null && first <= at ? first : at), null);
  return {
    servers,
    tasks: {
      total: tasks.length,
      byKind: Object.fromEntries([...byKind].sort(([one], [other]) => (one < other ? -1 : 1))),
      left: servers.reduce((rest, server) => rest - server.tasks, tasks.length),
      oldest,
      lagSeconds: oldest === null ? 0 : Math.max(0, Date.now() - Number(oldest)) / 1000,
    },
  };
}

/** Says a status in a few lines. */
export function describeStatus({ servers, tasks }: Status): string {
  const kinds = Object.entries(tasks.byKind).map(([kind, count]) => `${count} ${kind}`);
  const lines = [
    `servers alive   ${servers.length}`,
    ...servers.map(({ worker, instance, tasks }) => `  worker ${worker}  ${instance}  ${tasks} under way`),
    `work under way  ${tasks.total}${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`,
    `fan-out lag     ${tasks.lagSeconds.toFixed(1)} s${tasks.oldest ? `, since ${tasks.oldest.toISOString()}` : ''}`,
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
