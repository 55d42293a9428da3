import { randomBytes } from 'node:crypto';
import type { Database } from '../kit/cassandra/database';
import type { Scan } from '../kit/cassandra/scan';
import type { StoredRow } from '../kit/cassandra/table';

/** The number of token ranges of a table from which rows are sampled. */
const MAX_SAMPLED_RANGES = 50;

/** Samples a table: all rows if there are at most `size`, else at most about `size` rows that follow random tokens. */
export async function readSample(database: Database, scan: Scan, size: number): Promise<StoredRow[]> {
  const first: StoredRow[] = [];
  for await (const row of database.stream(scan.all, [], scan.rowsAtOnce)) {
    first.push(row);
    if (first.length > size) break;
  }
  if (first.length <= size) return first;
  const sampled = new Map<string, StoredRow>();
  for (let n = 0; n < MAX_SAMPLED_RANGES && sampled.size < size; n++) {
    const token = String(randomBytes(8).readBigInt64BE());
    const rows = await database.read(scan.from, [token, Math.ceil(size / MAX_SAMPLED_RANGES)]);
    for (const row of rows) sampled.set(JSON.stringify(row), row as StoredRow);
  }
  return [...sampled.values()];
}
