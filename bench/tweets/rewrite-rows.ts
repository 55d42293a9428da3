import type { Client } from 'cassandra-driver';
import { rawClient } from '../raw-client';

const ROWS_PER_BATCH = 50;
const BYTES_PER_BATCH = 5000;
const IN_FLIGHT = 128;
const ROWS_AT_ONCE = 5000;

/** What was written, and how long the writes took, in seconds. The reads in between are not part of that. */
export interface Rewritten {
  readonly rows: number;
  readonly seconds: number;
}

/**
 * Writes all rows of a keyspace into the same tables of another one, with the driver alone: unlogged batches of rows in the
 * order of their partitions, a bounded number of them at once.
 */
export async function rewriteRows(contactPoint: string, from: string, to: string): Promise<Rewritten> {
  const client = rawClient(contactPoint);
  await client.connect();
  try {
    let [rows, milliseconds] = [0, 0];
    const tables = await client.execute(
      'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?',
      [from],
    );
    for (const { table_name: table } of tables.rows as unknown as { table_name: string }[]) {
      // The other keyspace has its own.
      if (table.startsWith('migration')) continue;
      for (let pageState: string | undefined; ;) {
        const options = { prepare: true, fetchSize: ROWS_AT_ONCE, ...(pageState && { pageState }) };
        const page = await client.execute(`SELECT * FROM ${from}.${table}`, [], options);
        const inserts = page.rows.map((row) => insertOf(`${to}.${table}`, row));
        const started = performance.now();
        await write(client, inserts);
        milliseconds += performance.now() - started;
        rows += page.rows.length;
        if (!page.pageState) break;
        pageState = page.pageState;
      }
    }
    return { rows, seconds: milliseconds / 1000 };
  } finally {
    await client.shutdown();
  }
}

/** A row to write, and about how many bytes it has. */
interface Insert {
  readonly query: string;
  readonly params: unknown[];
  readonly bytes: number;
}

function insertOf(table: string, row: object): Insert {
  const given = Object.entries(row).filter(([, value]) => value !== null);
  const names = given.map(([name]) => name);
  return {
    query: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    params: given.map(([, value]) => value as unknown),
    bytes: given.reduce((sum, [, value]) => sum + bytesOf(value), 0),
  };
}

async function write(client: Client, inserts: readonly Insert[]): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  let batch: { query: string; params: unknown[] }[] = [];
  let bytes = 0;
  const send = async () => {
    const [only] = batch;
    const options = { prepare: true };
    const request =
      only && batch.length === 1
        ? client.execute(only.query, only.params, options)
        : client.batch(batch, { ...options, logged: false });
    const sent = request.finally(() => underWay.delete(sent));
    batch = [];
    bytes = 0;
    underWay.add(sent);
    if (underWay.size >= IN_FLIGHT) await Promise.race(underWay);
  };
  for (const { query, params, bytes: more } of inserts) {
    if (batch.length > 0 && bytes + more > BYTES_PER_BATCH) await send();
    batch.push({ query, params });
    bytes += more;
    if (batch.length >= ROWS_PER_BATCH) await send();
  }
  if (batch.length > 0) await send();
  await Promise.all(underWay);
}

function bytesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + bytesOf(one), 0);
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;
}
