import { features } from '../../src/app';
import type { Database, Write } from '../../src/kit/cassandra/database';
import { isListTable, type Columns, type StoredRow } from '../../src/kit/cassandra/table';
import { shardOwners } from '../../src/kit/cassandra/list-shards';
import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import { bucketList, type BucketTable } from '../../src/kit/lists/bucket-list';
import { collect } from '../../src/kit/lists/connection';
import type { PositionValue } from '../../src/kit/lists/cursor';
import { leastIdAt } from '../../src/kit/base/snowflake';
import { createLoad } from '../../src/kit/reads/load';
import { rowOf } from './stored-lists';

const declared = features.flatMap(({ tables }) => tables);
type DeclaredTable = (typeof declared)[number];

/** All lists that there are. */
export const lists = declared.filter((table) => isListTable(table));

/** All tables that are no lists, and from which rows are removed that readers pass. */
export const gapped = declared.filter(({ writtenNow }) => writtenNow);

const BEGIN = Date.UTC(2026, 0, 1);
const DAY = '2026-01-01';

/** The nth item of a partition, oldest first: its moment and its id. Those between two others have fractions. */
export function nth(n: number): { readonly moment: Date; readonly id: string } {
  const moment = new Date(BEGIN + n * 1_000_000);
  return { moment, id: leastIdAt(moment) };
}

/** The list of an owner, or a partition of another table, whose rows are made and removed. */
export interface Place {
  readonly name: string;
  put(n: number, timing?: { readonly at: number; readonly ttl?: number }): Write;
  /** Removes a row, as of a moment in milliseconds since 1970, of a list as of a logical time; now by default. */
  remove(n: number, moment?: number): Write;
  /** Reads rows from the beginning, or after the nth item, as they are shown. */
  read(database: Database, from: number | null, limit?: number): Promise<readonly string[]>;
}

/** A place of a table. */
export function placeIn(table: DeclaredTable, owner: string): Place {
  const rowAt = (n: number): StoredRow => {
    const { moment, id } = nth(n);
    const ofKey: Readonly<Record<string, unknown>> = { bigint: id, timestamp: moment, int: 1 };
    const key = Object.fromEntries<unknown>(
      table.clustering.map((property) => [property, ofKey[table.columns[property]?.cql ?? '']]),
    );
    return { ...rowOf(table.columns, moment), ...key, ...partition };
  };
  const isList = isListTable(table);
  const partition = Object.fromEntries<unknown>(
    table.partition
      .filter((property) => !isList || property === table.owner)
      .map((property) => [
        property,
        valueOf(table.columns[property]?.cql, isList ? (shardOwners(table, owner)[0] ?? owner) : owner),
      ]),
  );
  // Tweets are removed an hour ahead: see `finalTime`. Removals of lists have logical times, if any.
  const removedAt = (moment?: number) => (isList ? moment : ((moment ?? Date.now()) + 3_600_000) * 1000);
  return {
    name: table.name,
    put: (n, timing) => writeOf<Columns, string, string>(table, rowAt(n), timing),
    remove: (n, moment) => removalOf<Columns, string, string>(table, rowAt(n), removedAt(moment)),
    async read(database, from, limit = 25) {
      const load = createLoad(database);
      const key =
        from === null
          ? undefined
          : table.clustering.map((property) => rowAt(from)[property] as PositionValue);
      if (!isList) {
        const rows = await load(table.page, { ...partition, after: key, limit });
        return rows.map((row) => JSON.stringify(row));
      }
      type ListRow = StoredRow & { readonly bucket: number; readonly isSplit: boolean | null };
      const position = (row: ListRow) => table.clustering.map((property) => row[property] as PositionValue);
      const open = bucketList(
        load,
        table as unknown as BucketTable<ListRow, string>,
        { [table.owner]: owner },
        position,
      );
      const { rows } = await collect(open, {
        limit: limit - 1,
        backwards: false,
        from: key ? { bucket: 0, key } : null,
      });
      return rows.map(({ row: { bucket: _, isSplit: __, ...row } }) => JSON.stringify(row));
    },
  };
}

function valueOf(cql: string | undefined, owner: string): unknown {
  return cql === 'int' ? 1 : cql === 'date' ? DAY : owner;
}

/** A read that was sent. */
interface Sent {
  readonly cql: string;
  readonly params: readonly unknown[];
}

/** The same database, and the reads that are sent to it. */
export function watchReads(database: Database): { readonly database: Database; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const watched: Database = {
    ...database,
    read(cql, params, ...rest) {
      sent.push({ cql, params });
      return database.read(cql, params, ...rest);
    },
  };
  return { database: watched, sent };
}
