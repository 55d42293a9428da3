import { isHeldIn } from '../kit/base/ids';
import type { Database } from '../kit/cassandra/database';
import { createScan } from '../kit/cassandra/scan';
import { isListTable, type StoredRow } from '../kit/cassandra/table';
import { bucketsOfList } from '../kit/lists/list-buckets';
import { createLoad } from '../kit/reads/load';
import { tallies } from '../kit/work/tally';
import type { DeclaredTable } from '../tools/model/model';
import { isAbout } from '../write/tallied';
import { nameRow } from './stored';

/** An object whose id is looked for: of a type of the schema, such as `User`. */
interface Wanted {
  readonly type: string;
  readonly id: string;
}

/** The rows of a table that have an id. */
interface FoundId {
  readonly table: string;
  /** Whether only the partitions of that id were read, because nothing else of the table can hold it. */
  readonly isByKey: boolean;
  /** How many rows were read. */
  readonly looked: number;
  /** How many of them hold the id. */
  readonly rows: number;
  /** The keys of up to three of them. */
  readonly examples: readonly string[];
}

const MAX_EXAMPLES = 3;
/** How many rows of a partition are read at a time. */
const ROWS_AT_ONCE = 1000;

/** The columns of a table that may hold ids of a type. */
export function columnsWith({ columns }: Pick<DeclaredTable, 'columns'>, type: string): string[] {
  return Object.entries(columns).flatMap(([property, { ids }]) => (ids?.includes(type) ? [property] : []));
}

/**
 * Looks for an id in every table whose declaration says that it may hold it: only in the partitions of that id if the table is kept by it
 * and has it nowhere else, otherwise in all rows. `tables` are all declared tables, because they tell what a row of lists or tallies is
 * about.
 */
export async function* findId(
  database: Database,
  tables: readonly DeclaredTable[],
  wanted: Wanted,
): AsyncIterable<FoundId> {
  const isWanted = aboutIn(tables);
  for (const table of tables) {
    const columns = columnsWith(table, wanted.type);
    if (columns.length === 0) continue;
    const isByKey = isKeptBy(table, columns);
    let looked = 0;
    let rows = 0;
    const examples: string[] = [];
    for await (const row of isByKey
      ? rowsOf(database, table, wanted.id)
      : allRows(database, table, columns)) {
      looked++;
      const holds = columns.some(
        (property) =>
          (table.columns[property]?.holds ?? isHeldIn)(row[property], wanted.id, wanted.type) &&
          isWanted(table.name, property, row, wanted.type) !== false,
      );
      if (!holds) continue;
      if (++rows <= MAX_EXAMPLES) examples.push(nameRow(table, row));
    }
    yield { table: table.name, isByKey, looked, rows, examples };
  }
}

/** Whether only the owner of a table's partitions may be the id. */
function isKeptBy(table: DeclaredTable, columns: readonly string[]): boolean {
  const [owner = '', ...others] = table.partition;
  const isWhole = isListTable(table) ? table.owner === owner : others.length === 0;
  return isWhole && columns.length === 1 && columns[0] === owner && table.columns[owner]?.cql === 'bigint';
}

/** The rows of a table that belong to an owner, in all buckets of a list. */
async function* rowsOf(database: Database, table: DeclaredTable, ownerId: string): AsyncIterable<StoredRow> {
  const [owner = ''] = table.partition;
  const buckets = isListTable(table)
    ? await bucketsOfList(createLoad(database), table, ownerId)
    : [undefined];
  for (const bucket of buckets) {
    const key = { [owner]: ownerId, ...(bucket !== undefined && { bucket }) };
    for (let after: unknown[] | undefined; ;) {
      const page: readonly StoredRow[] = await createLoad(database)(table.page, {
        ...key,
        ...(after && { after }),
        limit: ROWS_AT_ONCE,
      });
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < ROWS_AT_ONCE || table.clustering.length === 0) break;
      after = table.clustering.map((property) => last[property]);
    }
  }
}

/** The keys of all rows of a table, with some columns. */
function allRows(
  database: Database,
  table: DeclaredTable,
  columns: readonly string[],
): AsyncIterable<StoredRow> {
  const { partition, clustering } = table;
  const about = 'list' in table.columns ? ['list'] : [];
  const { all, rowsAtOnce } = createScan(table, [
    ...new Set([...partition, ...clustering, ...about, ...columns]),
  ]);
  return database.stream(all, [], rowsAtOnce);
}

/**
 * Creates the test whether a column of a row that says a list is about objects of a type; undefined if the column may be about any of its
 * types. Imported tweets may have the ids of users, so the name of the list decides.
 */
function aboutIn(tables: readonly DeclaredTable[]) {
  const owners = new Map(
    tables.flatMap((table) =>
      isListTable(table) ? [[table.name, table.columns[table.owner]?.ids ?? []] as const] : [],
    ),
  );
  return (table: string, property: string, row: StoredRow, type: string): boolean | undefined => {
    const list = String(row['list']);
    if (table === tallies.name) return isAbout(row, property, type);
    return property === 'owner' ? owners.get(list)?.includes(type) : undefined;
  };
}

/** The tables that keep the id of a user who is gone, and why. */
export const keepingIds: Readonly<Record<string, string>> = {
  moderation_acts: 'it is the audit log of what moderators did',
  rankings: 'rankings of past times are not changed; who is gone is not shown in them',
  hashtags_by_hour: 'its rows expire after two weeks; removed uses are not counted',
  idempotency_keys: 'its rows expire after a week',
  quota_uses: 'its rows expire after two periods of the quota: two hours or two days',
  late_arrivals: 'its rows expire after a day',
  recent_writers: 'its rows expire after some seconds',
  ranking_pairs: 'it is scratch of rankings that are being taken, and emptied after that',
  leases: 'it is scratch of work that one server does, and emptied after that',
};
