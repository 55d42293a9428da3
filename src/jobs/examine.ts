import type { Write } from '../kit/cassandra/database';
import { buckets } from '../kit/data/buckets';
import type { Deriving, Source } from './sources';
import { isSame, keyIn, readStored, rowIn, timingOf, type AnyTable, type StoredRow } from './stored';

/** A table whose rows come from others. */
export interface Derived {
  readonly table: AnyTable;
  readonly sources: readonly Source[];
  /** What the first source is asked for to know whether it gives a row: what it then gives may all stand in the table. */
  readonly askFor: (row: StoredRow) => string;
  /** Says instead of the source whether a row may stand in the table. */
  readonly holds?: (deriving: Deriving, rows: readonly StoredRow[]) => Promise<readonly boolean[]>;
  /** Another place of a row, where it does as well. */
  readonly instead?: (row: StoredRow) => StoredRow;
  /** Whether a row without a source is on its way, or going by itself. */
  readonly isPassing?: (deriving: Deriving, row: StoredRow) => boolean | Promise<boolean>;
  /** Columns of which the sources say nothing. */
  readonly own?: readonly string[];
  /** Writes a row over what was found, where that is no plain write; resolves to whether it could. */
  readonly put?: (deriving: Deriving, row: StoredRow, found: StoredRow | null) => Promise<boolean>;
  /** Removes a row, where that is no plain removal. */
  readonly remove?: (deriving: Deriving, row: StoredRow) => Promise<void>;
}

/** A row that is to be in a table, and what writes it. */
export interface Expected {
  readonly table: AnyTable;
  readonly row: StoredRow;
  readonly write: Write;
  readonly timing: { readonly at: number; readonly ttl: number } | null;
}

/** A row that is not as its source has it. */
export interface Drift {
  readonly kind: 'missing' | 'different' | 'surplus';
  /** The row as it should be; of a surplus one, as it is. */
  readonly row: StoredRow;
  readonly found: StoredRow | null;
  /** Null of a surplus row. */
  readonly expected: Expected | null;
}

/** The rows of a table among some writes, each once, and the months of `buckets` that name the table as their list. */
export function expectedIn({ table }: Derived, writes: readonly Write[]): Expected[] {
  const expected = new Map<string, Expected>();
  for (const write of writes) {
    const of = [table, buckets].find(({ put, putAt }) => write.query === put || write.query === putAt);
    if (of === undefined) continue;
    const row = rowIn(of, write);
    if (of !== table && row['list'] !== table.name) continue;
    expected.set(`${of.name} ${keyIn(of, row)}`, { table: of, row, write, timing: timingOf(of, write) });
  }
  return [...expected.values()];
}

/** Compares the rows of a table, and its months, with what is stored. */
export async function driftIn(
  deriving: Deriving,
  derived: Derived,
  expected: readonly Expected[],
): Promise<Drift[]> {
  const { database } = deriving;
  const drift: Drift[] = [];
  for (const table of new Set(expected.map((one) => one.table))) {
    const some = expected.filter((one) => one.table === table);
    const rows = some.map(({ row }) => row);
    const found = await readStored(database, table, rows);
    const { instead } = derived;
    const lost = rows.filter((_, place) => found[place] === null);
    const others =
      instead === undefined || table !== derived.table
        ? []
        : await readStored(database, table, lost.map(instead));
    const membership = new Set(lost.filter((row, place) => isThere(table, row, others[place], instead)));
    some.forEach((one, place) => {
      const stored = found[place] ?? null;
      if (stored === null ? membership.has(one.row) : isSame(table, stored, one.row, derived.own)) return;
      const kind = stored === null ? 'missing' : 'different';
      drift.push({ kind, row: one.row, found: stored, expected: one });
    });
  }
  return drift;
}

function isThere(
  table: AnyTable,
  row: StoredRow,
  other: StoredRow | null | undefined,
  instead: Derived['instead'],
): boolean {
  return other != null && instead !== undefined && isSame(table, other, instead(row));
}

/** Looks at places of a table: whether what is stored there is what the sources say now. Of those that are right nothing comes. */
export async function examine(
  deriving: Deriving,
  derived: Derived,
  places: readonly StoredRow[],
): Promise<Drift[]> {
  const { table } = derived;
  const allowed = await allowedAt(deriving, derived, places);
  const others = places.filter((row) => !allowed.has(keyIn(table, row)));
  const stored = await readStored(deriving.database, table, others);
  const surplus = await withoutPassing(
    deriving,
    derived,
    stored.filter((row) => row !== null),
  );
  return [...(await driftIn(deriving, derived, [...allowed.values()])), ...surplus.map(asSurplus)];
}

/** Which of some rows of a table no source gives now. */
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
  return rows.filter((_, place) => !passing[place]);
}

/** What may stand in some places of a table. */
async function allowedAt(
  deriving: Deriving,
  derived: Derived,
  places: readonly StoredRow[],
): Promise<ReadonlyMap<string, Expected>> {
  const { table, holds, sources } = derived;
  const wanted = new Set(places.map((row) => keyIn(table, row)));
  const allowed = new Map<string, Expected>();
  if (holds) {
    const held = await holds(deriving, places);
    places.forEach((row, place) => {
      if (!held[place]) return;
      const write = { query: table.put, params: [], partition: '' };
      allowed.set(keyIn(table, row), { table, row, write, timing: null });
    });
    return allowed;
  }
  const asked = [...new Set(places.map((row) => derived.askFor(row)))];
  for await (const writes of sources[0]?.given(deriving, asked) ?? [])
    for (const expected of expectedIn(derived, writes)) {
      const key = keyIn(expected.table, expected.row);
      if (expected.table === table && wanted.has(key)) allowed.set(key, expected);
    }
  return allowed;
}
