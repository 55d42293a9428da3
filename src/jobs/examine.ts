import type { Write } from '../kit/cassandra/database';
import { buckets } from '../kit/data/buckets';
import type { Deriving, Source } from './sources';
import { isSame, keyIn, readStored, rowIn, timingOf, type AnyTable, type StoredRow } from './stored';

/** A table whose rows are derived from other tables. */
export interface Derived {
  readonly table: AnyTable;
  readonly sources: readonly Source[];
  /** The key with which to ask the first source whether it gives a row. Every row that it then gives may be in the table. */
  readonly askFor: (row: StoredRow) => string;
  /** Says, in place of the source, whether each row may be in the table. */
  readonly holds?: (deriving: Deriving, rows: readonly StoredRow[]) => Promise<readonly boolean[]>;
  /** The row under another key that is just as good. */
  readonly instead?: (row: StoredRow) => StoredRow;
  /** Whether a row without a source is no error: its source is about to be stored, or the row is about to expire. */
  readonly isPassing?: (deriving: Deriving, row: StoredRow) => boolean | Promise<boolean>;
  /** Columns that do not come from the sources. */
  readonly own?: readonly string[];
  /** Writes a row over what was found, if a plain write will not do. Resolves to whether it was written. */
  readonly put?: (deriving: Deriving, row: StoredRow, found: StoredRow | null) => Promise<boolean>;
  /** Removes a row, if a plain removal will not do. */
  readonly remove?: (deriving: Deriving, row: StoredRow) => Promise<void>;
}

/** A row that should be in a table, and the write that stores it. */
export interface Expected {
  readonly table: AnyTable;
  readonly row: StoredRow;
  readonly write: Write;
  readonly timing: { readonly at: number; readonly ttl: number } | null;
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
export function expectedIn({ table }: Derived, writes: readonly Write[]): Expected[] {
  const expected = new Map<string, Expected>();
  for (const write of writes) {
    const target = [table, buckets].find(({ put, putAt }) => write.query === put || write.query === putAt);
    if (target === undefined) continue;
    const row = rowIn(target, write);
    if (target !== table && row['list'] !== table.name) continue;
    expected.set(`${target.name} ${keyIn(target, row)}`, {
      table: target,
      row,
      write,
      timing: timingOf(target, write),
    });
  }
  return [...expected.values()];
}

/** Compares expected rows of a table and its buckets with what is stored. Resolves to the missing and the different ones. */
export async function driftIn(
  deriving: Deriving,
  derived: Derived,
  expected: readonly Expected[],
): Promise<Drift[]> {
  const { database } = deriving;
  const drift: Drift[] = [];
  for (const table of new Set(expected.map((item) => item.table))) {
    const ofTable = expected.filter((item) => item.table === table);
    const rows = ofTable.map(({ row }) => row);
    const found = await readStored(database, table, rows);
    const { instead } = derived;
    const notFound = rows.filter((_, index) => found[index] === null);
    const others =
      instead === undefined || table !== derived.table
        ? []
        : await readStored(database, table, notFound.map(instead));
    const elsewhere = new Set(
      notFound.filter((row, index) => isStoredInstead(table, row, others[index], instead)),
    );
    ofTable.forEach((item, index) => {
      const stored = found[index] ?? null;
      if (stored === null ? elsewhere.has(item.row) : isSame(table, stored, item.row, derived.own)) return;
      const kind = stored === null ? 'missing' : 'different';
      drift.push({ kind, row: item.row, found: stored, expected: item });
    });
  }
  return drift;
}

function isStoredInstead(
  table: AnyTable,
  row: StoredRow,
  other: StoredRow | null | undefined,
  instead: Derived['instead'],
): boolean {
  return other != null && instead !== undefined && isSame(table, other, instead(row));
}

/** Compares the stored rows under the keys of `rows` with what the sources give now. Resolves to the rows that differ. */
export async function examine(
  deriving: Deriving,
  derived: Derived,
  rows: readonly StoredRow[],
): Promise<Drift[]> {
  const { table } = derived;
  const allowed = await allowedAt(deriving, derived, rows);
  const others = rows.filter((row) => !allowed.has(keyIn(table, row)));
  const stored = await readStored(deriving.database, table, others);
  const surplus = await withoutPassing(
    deriving,
    derived,
    stored.filter((row) => row !== null),
  );
  return [...(await driftIn(deriving, derived, [...allowed.values()])), ...surplus.map(asSurplus)];
}

/** The rows among `rows` that no source gives now. */
export async function surplusIn(
  deriving: Deriving,
  derived: Derived,
  rows: readonly StoredRow[],
): Promise<StoredRow[]> {
  const allowed = await allowedAt(deriving, derived, rows);
  const others = rows.filter((row) => !allowed.has(keyIn(derived.table, row)));
  return withoutPassing(deriving, derived, others);
}

function asSurplus(row: StoredRow): Drift {
  return { kind: 'surplus', row, found: row, expected: null };
}

async function withoutPassing(
  deriving: Deriving,
  { isPassing }: Derived,
  rows: readonly StoredRow[],
): Promise<StoredRow[]> {
  const passing = await Promise.all(rows.map(async (row) => (await isPassing?.(deriving, row)) ?? false));
  return rows.filter((_, index) => !passing[index]);
}

/** The rows that may be stored under the keys of `rows`, by `keyIn`. */
async function allowedAt(
  deriving: Deriving,
  derived: Derived,
  rows: readonly StoredRow[],
): Promise<ReadonlyMap<string, Expected>> {
  const { table, holds, sources } = derived;
  const wanted = new Set(rows.map((row) => keyIn(table, row)));
  const allowed = new Map<string, Expected>();
  if (holds) {
    const isHeld = await holds(deriving, rows);
    rows.forEach((row, index) => {
      if (!isHeld[index]) return;
      const write = { query: table.put, params: [], partition: '' };
      allowed.set(keyIn(table, row), { table, row, write, timing: null });
    });
    return allowed;
  }
  const keys = [...new Set(rows.map((row) => derived.askFor(row)))];
  for await (const writes of sources[0]?.given(deriving, keys) ?? [])
    for (const expected of expectedIn(derived, writes)) {
      const key = keyIn(expected.table, expected.row);
      if (expected.table === table && wanted.has(key)) allowed.set(key, expected);
    }
  return allowed;
}
