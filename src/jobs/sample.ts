import { randomBytes } from 'node:crypto';
import type { Database } from '../kit/cassandra/database';
import type { Scan } from '../kit/cassandra/statement';
import type { StoredRow } from './stored';

/** At how many places of a table rows are taken. */
const MAX_SAMPLED_RANGES = 50;

/** Rows from all over a table: all of them where they are no more than `size`, else about so many, at random tokens. */
export async function sampleOf(database: Database, scan: Scan, size: number): Promise<StoredRow[]> {
  const first: StoredRow[] = [];
  for await (const row of database.stream(scan.all, [])) {
    first.push(row as StoredRow);
    if (first.length > size) break;
  }
  if (first.length <= size) return first;
  const some = new Map<string, StoredRow>();
  for (let place = 0; place < MAX_SAMPLED_RANGES && some.size < size; place++) {
    const token = String(randomBytes(8).readBigInt64BE());
    const rows = await database.read(scan.from, [token, Math.ceil(size / MAX_SAMPLED_RANGES)]);
    for (const row of rows) some.set(JSON.stringify(row), row as StoredRow);
  }
  return [...some.values()];
}
