import { Client, type types } from 'cassandra-driver';

/** Reads by which Cassandra says how many tombstones they passed. */
export interface Tracer {
  /** Sends a read again. Resolves to how many tombstones it passed, and how many rows it found. */
  trace(
    cql: string,
    params: readonly unknown[],
  ): Promise<{ readonly tombstones: number; readonly rows: number }>;
  close(): Promise<void>;
}

/** Where the traced keyspace is. */
interface Where {
  readonly contactPoints: readonly string[];
  readonly localDatacenter: string;
  readonly keyspace: string;
}

/** Connects a tracer. */
export async function openTracer({ contactPoints, localDatacenter, keyspace }: Where): Promise<Tracer> {
  const client = new Client({
    contactPoints: [...contactPoints],
    localDataCenter: localDatacenter,
    keyspace,
    encoding: { useBigIntAsLong: true },
  });
  await client.connect();
  return {
    async trace(cql, params) {
      const { info, rows } = await client.execute(cql, [...params], {
        prepare: true,
        traceQuery: true,
        fetchSize: 0,
      });
      const events = await eventsOf(client, info.traceId);
      const cells = events.map((activity) => Number(/(\d+) tombstone cells/.exec(activity)?.[1] ?? 0));
      return { tombstones: cells.reduce((sum, count) => sum + count, 0), rows: rows.length };
    },
    close: () => client.shutdown(),
  };
}

/** How long a trace may take to be stored, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** What a trace says, which is stored some moments after the query. */
async function eventsOf(client: Client, traceId: types.Uuid): Promise<readonly string[]> {
  for (const until = Date.now() + MAX_WAIT_MS; ;) {
    const { rows } = await client.execute(
      'SELECT activity FROM system_traces.events WHERE session_id = ?',
      [traceId],
      { prepare: true },
    );
    const activities = rows.map((row) => String(row['activity']));
    if (activities.some((activity) => activity.includes('tombstone cells'))) return activities;
    if (Date.now() > until)
      throw new Error(`Cassandra must store the trace ${traceId.toString()}, but has not.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
