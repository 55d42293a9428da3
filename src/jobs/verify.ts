import type { Database } from '../kit/cassandra/database';
import { driftIn, examine, expectedIn, type Derived, type Drift } from './examine';
import { requireNoImport } from './rebuild';
import { passWrites } from './recount';
import { sampleOf } from './sample';
import type { Deriving, Source } from './sources';
import { keyIn, type AnyTable, type StoredRow } from './stored';

/** What was found of a table. */
export interface Verified {
  readonly looked: number;
  readonly missing: number;
  readonly surplus: number;
  readonly different: number;
  /** Some of what was found, by kind and key. */
  readonly examples: readonly string[];
}

/** How many rows of a source are asked at a time, and how many drifting rows are enough to know. */
const SOURCES_AT_ONCE = 50;
const MAX_DIFFERENCES = 1000;
const MAX_EXAMPLES = 3;

/**
 * Compares a table with its sources, both ways, by about so many rows each way. What differs is looked at again when the acts
 * are over that are under way: only what differs still is told.
 */
export async function verifyRows(deriving: Deriving, derived: Derived, size: number): Promise<Verified> {
  const { database } = deriving;
  const { table } = derived;
  let looked = 0;
  const suspects = new Map<string, StoredRow>();
  const suspect = (drift: readonly Drift[]) => {
    for (const { row } of drift) suspects.set(keyIn(table, row), row);
  };
  for (const source of derived.sources) {
    const part = Math.ceil(size / derived.sources.length);
    for await (const { rows, drift } of givenOf(deriving, derived, source, part)) {
      looked += rows;
      suspect(drift);
    }
  }
  const stored = await sampleOf(database, table.rows, size);
  looked += stored.length;
  suspect(await examine(deriving, derived, stored));
  if (suspects.size === 0) return { looked, missing: 0, surplus: 0, different: 0, examples: [] };
  await passWrites(database);
  await requireNoImport(database);
  const drift = await examine(deriving, derived, [...suspects.values()].slice(0, MAX_DIFFERENCES));
  return { looked, ...summaryOf(drift, table) };
}

/** Looks for the rows in a table that some rows of a source give, until so many were looked at. */
async function* givenOf(
  deriving: Deriving,
  derived: Derived,
  source: Source,
  size: number,
): AsyncIterable<{ rows: number; drift: readonly Drift[] }> {
  const asked = await askedOf(deriving.database, source, size);
  let rows = 0;
  for (let n = 0; n < asked.length; n += SOURCES_AT_ONCE) {
    for await (const writes of source.given(deriving, asked.slice(n, n + SOURCES_AT_ONCE))) {
      const expected = expectedIn(derived, writes).filter(({ table }) => table === derived.table);
      yield { rows: expected.length, drift: await driftIn(deriving, derived, expected) };
      if ((rows += expected.length) >= size) return;
    }
  }
}

/** What a source is asked for, in a random order. */
async function askedOf(database: Database, source: Source, size: number): Promise<string[]> {
  const keys = await sampleOf(database, source.table.keys, size);
  const asked = [...new Set(keys.flatMap((key) => source.ask(key) ?? []))];
  return asked
    .map((one) => ({ one, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

function summaryOf(drift: readonly Drift[], table: AnyTable): Omit<Verified, 'looked'> {
  const count = (kind: Drift['kind']) => drift.filter((one) => one.kind === kind).length;
  return {
    missing: count('missing'),
    surplus: count('surplus'),
    different: count('different'),
    examples: drift.slice(0, MAX_EXAMPLES).map(({ kind, row }) => `${kind}: ${nameOf(table, row)}`),
  };
}

/** The primary key of a row, for people. */
function nameOf({ partition, clustering }: AnyTable, row: StoredRow): string {
  return [...partition, ...clustering]
    .map((property) => {
      const value = row[property];
      return `${property} ${value instanceof Date ? value.toISOString() : String(value)}`;
    })
    .join(', ');
}
