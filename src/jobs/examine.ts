import type { Database, Write } from '../kit/cassandra/database';
import { buckets } from '../kit/lists/buckets';
import { bucketAssignerOf } from '../kit/lists/bucket-assigner';
import type { AnyTable, StoredRow } from '../kit/cassandra/table';
import type { DerivationOptions, DerivedTable } from '../write/derived-table';
import { isSame, keyIn, readStored, rowIn, readTiming } from './stored';

/** A row that should be in a table, and the write that stores it. */
export interface Expected {
  readonly table: AnyTable;
  readonly row: StoredRow;
  readonly write: Write;
  readonly timing: { readonly at: number; readonly ttl: number } | null;
  /** Further buckets in which the row may be as well, if its list was split. */
  readonly others: readonly number[];
}

/** A row that differs from what its source gives. */
export interface Drift {
  readonly kind: 'missing' | 'different' | 'surplus';
  /** The row as it should be; a surplus row as it is. */
  readonly row: StoredRow;
  readonly found: StoredRow | null;
  /** Null for a surplus row. */
  readonly expected: Expected | null;
}

/** The rows of a table in `writes`, each once, and the rows of `buckets` whose list is that table. */
export async function expectedIn(
  { database }: Pick<DerivationOptions, 'database'>,
  { table }: DerivedTable,
  writes: readonly Write[],
): Promise<Expected[]> {
  const expected = new Map<string, Expected>();
  const targetOf = ({ query }: Write) =>
    [table, buckets].find(({ put, putAt }) => query === put || query === putAt);
  const given = writes.filter(targetOf);
  const bucketsOf = await bucketAssignerOf(database).bucketsOf(given);
  for (const [index, write] of given.entries()) {
    const target = targetOf(write);
    if (target === undefined) continue;
    const [bucket, ...others] = bucketsOf[index] ?? [];
    const row: StoredRow = { ...rowIn(target, write), ...(bucket !== undefined && { bucket }) };
    if (target !== table && row['list'] !== table.name) continue;
    expected.set(`${target.name} ${keyIn(target, row)}`, {
      table: target,
      row,
      write,
      timing: readTiming(target, write),
      others,
    });
  }
  return [...expected.values()];
}

/** Compares expected rows of a table and its buckets with what is stored. Resolves to the missing and the different ones. */
export async function driftIn(
  context: DerivationOptions,
  derived: DerivedTable,
  expected: readonly Expected[],
): Promise<Drift[]> {
  const { database } = context;
  const drift: Drift[] = [];
  for (const table of new Set(expected.map((item) => item.table))) {
    const ofTable = expected.filter((item) => item.table === table);
    const rows = ofTable.map(({ row }) => row);
    const found = await readStored(database, table, rows);
    const missing = ofTable.filter((_, index) => found[index] === null);
    const elsewhere = await storedElsewhere(database, derived, table, missing);
    ofTable.forEach((item, index) => {
      const stored = found[index] ?? null;
      if (stored === null ? elsewhere.has(item.row) : isSame(table, stored, item.row, derived.ignoredColumns))
        return;
      const kind = stored === null ? 'missing' : 'different';
      drift.push({ kind, row: item.row, found: stored, expected: item });
    });
  }
  return drift;
}

/** Finds those rows that are stored in another bucket which is as good. */
async function storedElsewhere(
  database: Database,
  { table: ofDerived, ignoredColumns }: DerivedTable,
  table: AnyTable,
  missing: readonly Expected[],
): Promise<ReadonlySet<StoredRow>> {
  if (table !== ofDerived) return new Set();
  const alternatives = missing.flatMap(({ row, others }) =>
    others.map((bucket) => ({ row, other: { ...row, bucket } })),
  );
  const found = await readStored(
    database,
    table,
    alternatives.map(({ other }) => other),
  );
  return new Set(
    alternatives
      .filter(({ other }, index) => {
        const stored = found[index];
        return stored != null && isSame(table, stored, other, ignoredColumns);
      })
      .map(({ row }) => row),
  );
}

/** Compares the stored rows under the keys of `rows` with what the sources give now. Resolves to the rows that differ. */
export async function examine(
  context: DerivationOptions,
  derived: DerivedTable,
  rows: readonly StoredRow[],
): Promise<Drift[]> {
  const { table } = derived;
  const allowed = await allowedAt(context, derived, rows);
  const others = rows.filter((row) => !allowed.has(keyIn(table, row)));
  const stored = await readStored(context.database, table, others);
  const surplus = await withoutTransient(
    context,
    derived,
    stored.filter((row) => row !== null),
  );
  return [...(await driftIn(context, derived, [...allowed.values()])), ...surplus.map(asSurplus)];
}

/** The rows among `rows` that no source gives now. */
export async function surplusIn(
  context: DerivationOptions,
  derived: DerivedTable,
  rows: readonly StoredRow[],
): Promise<StoredRow[]> {
  const allowed = await allowedAt(context, derived, rows);
  const others = rows.filter((row) => !allowed.has(keyIn(derived.table, row)));
  return withoutTransient(context, derived, others);
}

function asSurplus(row: StoredRow): Drift {
  return { kind: 'surplus', row, found: row, expected: null };
}

async function withoutTransient(
  context: DerivationOptions,
  { isTransient }: DerivedTable,
  rows: readonly StoredRow[],
): Promise<StoredRow[]> {
  const transient = await Promise.all(rows.map(async (row) => (await isTransient?.(context, row)) ?? false));
  return rows.filter((_, index) => !transient[index]);
}

/** The rows that may be stored under the keys of `rows`, by `keyIn`. */
async function allowedAt(
  context: DerivationOptions,
  derived: DerivedTable,
  rows: readonly StoredRow[],
): Promise<ReadonlyMap<string, Expected>> {
  const { table, areAllowed, sources } = derived;
  const wanted = new Set(rows.map((row) => keyIn(table, row)));
  const allowed = new Map<string, Expected>();
  if (areAllowed) {
    const isAllowed = await areAllowed(context, rows);
    rows.forEach((row, index) => {
      if (!isAllowed[index]) return;
      const write = { query: table.put, params: [], partition: '' };
      allowed.set(keyIn(table, row), { table, row, write, timing: null, others: [] });
    });
    return allowed;
  }
  const keys = [...new Set(rows.map((row) => derived.sourceKeyOf(row)))];
  for await (const writes of sources[0]?.writesOf(context, keys) ?? [])
    for (const expected of await expectedIn(context, derived, writes)) {
      if (expected.table !== table) continue;
      const own = expected.row['bucket'];
      for (const bucket of [own, ...expected.others]) {
        const row = bucket === own ? expected.row : { ...expected.row, bucket };
        const key = keyIn(table, row);
        if (wanted.has(key)) allowed.set(key, { ...expected, row });
      }
    }
  return allowed;
}
