import { Client, policies } from 'cassandra-driver';
import type { Line } from '../measure';
import type { Sample } from './curves';

/** Reads what the nodes of a Cassandra say of themselves, in their virtual tables. */
export interface CassandraSampler {
  sample(): Promise<Sample>;
  /** The tables whose reads have passed the most tombstones lately. */
  worn(): Promise<Line[]>;
  close(): Promise<void>;
}

/** How many tables `worn` names. */
const NAMED = 6;

const { AllowListPolicy, RoundRobinPolicy } = policies.loadBalancing;

/** Connects to each node by itself, because each has its own virtual tables. `contactPoint` is that of a stage. */
export async function openCassandraSampler(
  contactPoint: string,
  localDataCenter: string,
  keyspace: string,
): Promise<CassandraSampler> {
  const clients = contactPoint.split(',').map(
    (point) =>
      new Client({
        contactPoints: [point],
        localDataCenter,
        encoding: { useBigIntAsLong: true },
        policies: { loadBalancing: new AllowListPolicy(new RoundRobinPolicy(), [point]) },
      }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  const readAll = async (cql: string) => {
    const results = await Promise.all(clients.map((client) => client.execute(cql)));
    return results.flatMap(({ rows }) => rows);
  };
  const ofKeyspace = (table: string) =>
    readAll(`SELECT * FROM system_views.${table} WHERE keyspace_name = '${keyspace}'`);
  return {
    async sample() {
      const pools = await readAll('SELECT * FROM system_views.thread_pools');
      const compactions = pools.filter(({ name }) => name === 'CompactionExecutor');
      const tombstones = await ofKeyspace('tombstones_per_read');
      const sizes = await ofKeyspace('disk_usage');
      return {
        compactions: sum(
          compactions.map((pool) => Number(pool['active_tasks']) + Number(pool['pending_tasks'])),
        ),
        'blocked tasks': sum(pools.map((pool) => Number(pool['blocked_tasks_all_time']))),
        'tombstones p99': Math.max(0, ...tombstones.map((table) => Number(table['p99th']))),
        'disk MiB': sum(sizes.map((table) => Number(table['mebibytes']))),
      };
    },
    async worn() {
      const tables = await ofKeyspace('tombstones_per_read');
      return tables
        .map((table) => ({
          table: String(table['table_name']),
          reads: Number(table['count']),
          'tombstones p50': Number(table['p50th']),
          p99: Number(table['p99th']),
          most: Number(table['max']),
        }))
        .toSorted((a, b) => b.p99 - a.p99 || b.most - a.most)
        .slice(0, NAMED);
    },
    async close() {
      await Promise.all(clients.map((client) => client.shutdown()));
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
