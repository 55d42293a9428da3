import { shuffled } from '../kit/base/random';
import type { Database } from '../kit/cassandra/database';
import { driftIn, examine, expectedIn, type Drift } from './examine';
import { passWrites } from './recount';
import { readSample } from './sample';
import type { DerivationOptions, DerivationSource, DerivedTable } from '../write/derived-table';
import type { AnyTable, StoredRow } from '../kit/cassandra/table';
import { isRow, keyIn, nameRow } from './stored';

/** The result of verifying a table. */
export interface Verified {
  /** How many rows were compared. */
  readonly looked: number;
  readonly missing: number;
  readonly surplus: number;
  readonly different: number;
  /** Up to three of the differences: their kinds and keys. */
  readonly examples: readonly string[];
}

/** How many rows of a source are asked for at a time. */
const SOURCES_AT_ONCE = 50;
/** How many differing rows are compared again at most. */
const MAX_DIFFERENCES = 1000;
const MAX_EXAMPLES = 3;

/**
 * Compares a sample of about `size` rows of a table with its sources, and about `size` rows of the sources with the table.
 * Rows that differ are compared again when the writes under way are done; only rows that still differ are reported.
 */
export async function verifyRows(
  context: DerivationOptions,
  derived: DerivedTable,
  size: number,
): Promise<Verified> {
  const { database } = context;
  const { table } = derived;
  let looked = 0;
  const suspects = new Map<string, StoredRow>();
  const suspect = (drift: readonly Drift[]) => {
    for (const { row } of drift) suspects.set(keyIn(table, row), row);
  };
  for (const source of derived.sources) {
    const sizeOfSource = Math.ceil(size / derived.sources.length);
    for await (const { rows, drift } of givenOf(context, derived, source, sizeOfSource)) {
      looked += rows;
      suspect(drift);
    }
  }
  const stored = (await readSample(database, table.rows, size)).filter((row) => isRow(table, row));
  looked += stored.length;
  suspect(await examine(context, derived, stored));
  if (suspects.size === 0) return { looked, missing: 0, surplus: 0, different: 0, examples: [] };
  await passWrites(database);
  const drift = await examine(context, derived, [...suspects.values()].slice(0, MAX_DIFFERENCES));
  return { looked, ...summarize(drift, table) };
}

/** Compares the rows that a sample of a source gives with those in the table, until `size` rows were compared. */
async function* givenOf(
  context: DerivationOptions,
  derived: DerivedTable,
  source: DerivationSource,
  size: number,
): AsyncIterable<{ rows: number; drift: readonly Drift[] }> {
  const keys = await sampledKeys(context.database, source, size);
  let rows = 0;
  for (let n = 0; n < keys.length; n += SOURCES_AT_ONCE) {
    for await (const writes of source.writesOf(context, keys.slice(n, n + SOURCES_AT_ONCE))) {
      const given = await expectedIn(context, derived, writes);
      const expected = given.filter(({ table }) => table === derived.table);
      yield { rows: expected.length, drift: await driftIn(context, derived, expected) };
      if ((rows += expected.length) >= size) return;
    }
  }
}

/** A sample of the keys with which to ask a source, in random order. */
async function sampledKeys(database: Database, source: DerivationSource, size: number): Promise<string[]> {
  const rows = (await readSample(database, source.table.keys, size)).filter((row) =>
    isRow(source.table, row),
  );
  return shuffled([...new Set(rows.flatMap((row) => source.keyOf(row) ?? []))]);
}

function summarize(drift: readonly Drift[], table: AnyTable): Omit<Verified, 'looked'> {
  const count = (kind: Drift['kind']) => drift.filter((row) => row.kind === kind).length;
  return {
    missing: count('missing'),
    surplus: count('surplus'),
    different: count('different'),
    examples: drift.slice(0, MAX_EXAMPLES).map(({ kind, row }) => `${kind}: ${nameRow(table, row)}`),
  };
}
