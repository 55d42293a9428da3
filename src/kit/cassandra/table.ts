import type { Column } from './column';
import { flag, int, optional, staticColumn } from './column';
import { MAX_SHARDS } from './list-shards';
import type { WriteLoad } from './write-load';
import { sizeOfRow } from './row-size';
import { createScan, type Scan } from './scan';
import {
  countStatement,
  getStatement,
  pageStatement,
  sliceStatement,
  toSnakeCase,
  withinStatement,
  type ListSlice,
  type PageKey,
  type Statement,
} from './statement';

export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row as it is read. Its properties are the names of the columns in camel case. */
export type RowOf<C> = { readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };

type OptionalOf<C> = { [K in keyof C]: null extends RowOf<C>[K] ? K : never }[keyof C];

/** A row to write. Optional columns may be left out. */
export type NewRowOf<C> = Omit<RowOf<C>, OptionalOf<C>> & Partial<Pick<RowOf<C>, OptionalOf<C>>>;

/** A row of a declared table. */
export type Row<T> = T extends Table<infer C, infer _P, infer _K> ? RowOf<C> : never;

/**
 * What a table is to a backup: truth, which nothing gives back; derived from truth, so that it can be made again; partly derived, if only
 * some of it can; or transient, if nothing is lost without it, because its rows expire or concern servers that run now.
 */
export interface TableRole {
  readonly kind: 'truth' | 'derived' | 'partly derived' | 'transient';
  readonly why: string;
}

/**
 * A table as its feature declares it. The files of `cql/` create it, and a test compares the two. Besides, a table may be declared with
 * fewer columns, for reads that leave out the others.
 */
export interface Table<C extends Columns, P extends keyof C & string, K extends keyof C & string> {
  readonly name: string;
  readonly columns: C;
  /** The partition key. Its first column is the owner: reads that differ only in their owner are sent as one request. */
  readonly partition: readonly P[];
  /** The clustering key. Its columns are all ascending or all descending. */
  readonly clustering: readonly K[];
  readonly order: 'asc' | 'desc';
  /**
   * Whether all rows are written with the time of the write as their timestamp, never with a logical one. Then one tombstone can take the
   * place of many that lie between two rows: see `clearGap`.
   */
  readonly writtenNow: boolean;
  /** What it is to a backup. Lists and tables that a job makes again need not say it. */
  readonly role?: TableRole | undefined;
  /** How much is written to it, as far as that is declared. */
  readonly writeLoads: readonly WriteLoad[];
  /** The greatest size of a row in bytes. */
  readonly rowBytes: number;
  /** The greatest size of a partition in bytes, where that is declared. */
  readonly pageBytes?: number | undefined;
  /** `<table>.get`: reads one row by its whole primary key; null if there is none. */
  readonly get: Statement<Pick<RowOf<C>, P | K>, RowOf<C> | null>;
  /** `<table>.page`: reads some rows of one partition, in the table's order or, if `reversed`, against it. */
  readonly page: Statement<PageKey<RowOf<C>, P>, readonly RowOf<C>[]>;
  /** `<table>.within`: reads all rows of a partition whose clustering key begins with given values. */
  readonly within: <const L extends K>(
    leading: readonly L[],
  ) => Statement<Pick<RowOf<C>, P | L>, readonly RowOf<C>[]>;
  /** `<table>.count`: counts the rows of a partition. */
  readonly count: Statement<Pick<RowOf<C>, P>, number>;
  /** Reads the primary keys of all rows. */
  readonly keys: Scan;
  /** Reads all columns of all rows. */
  readonly rows: Scan;
  /** `<table>.put`: writes a row. A value that is unset creates no tombstone. */
  readonly put: string;
  /** `<table>.put` with a timestamp in microseconds and a time to live in seconds (0 means for ever). */
  readonly putAt: string;
  /** `<table>.remove`: deletes a row. */
  readonly remove: string;
  /** `<table>.remove` with a timestamp in microseconds. */
  readonly removeAt: string;
  /** `<table>.clear`: deletes a partition. */
  readonly clear: string;
  /** `<table>.clear` with a timestamp in microseconds. */
  readonly clearAt: string;
}

/** The columns that each list has besides its own. */
const listColumns = {
  /** The partition of the list: 0 until the list is split. Writes leave it out: see `bucket-assigner.ts`. */
  bucket: optional(int),
  /** Whether the list has further partitions, which `list_buckets` tells. Only bucket 0 has it. */
  isSplit: staticColumn(optional(flag)),
};
type ListColumns<C> = C & typeof listColumns;

/** A table whose rows are a list of each owner, in one partition until that has become full. */
export interface ListTable<
  C extends Columns,
  O extends keyof C & string,
  K extends keyof C & string,
> extends Table<ListColumns<C>, O | 'bucket', K> {
  /** The property that names the list's owner. */
  readonly owner: O;
  /**
   * The number of equal shards of each list; 1 if it is not divided. The owner of a partition then is that of a shard: see
   * `list-shards.ts`.
   */
  readonly shards: number;
  /** After how many rows a partition of the list is full. */
  readonly fullRows: number;
  /** `<table>.page`: as `page`, and whether the list has further partitions. */
  readonly slice: Statement<PageKey<RowOf<ListColumns<C>>, O | 'bucket'>, ListSlice<RowOf<ListColumns<C>>>>;
  /** Reads the clustering keys of a partition, in the table's order: owner, bucket, how many. */
  readonly positions: string;
  /** Records that the list of an owner has further partitions. */
  readonly recordSplit: string;
  /** Records that the list of an owner exists, although it may have no rows. */
  readonly recordUsed: string;
}

/** A declared table of lists, whatever its columns. */
export interface AnyListTable extends AnyTable {
  readonly owner: string;
  readonly shards: number;
  readonly fullRows: number;
  readonly page: Statement<StoredRow & { readonly limit: number }, readonly StoredRow[]>;
  readonly positions: string;
  readonly recordSplit: string;
}

/** How much a value adds to the size of a row. */
export interface Cell {
  /** The size of a value in bytes; without the value itself if its size is not fixed. */
  readonly bytes: number;
  /** Whether all values of the column have the same size. */
  readonly isFixed: boolean;
}

/** The list, owner and position by which the partition of a row is chosen. */
export interface Unassigned {
  readonly table: AnyListTable;
  /** The owner of the list. */
  readonly owner: string;
  /** The owner of the partition: another one if the list is divided into shards. */
  readonly shardOwner: string;
  /** The clustering key: moments and ids. */
  readonly position: readonly (Date | string)[];
  /** The index of the bucket in the values of the write. */
  readonly bucketAt: number;
  readonly isRemoval: boolean;
}

/** Whether a table holds lists. */
export function isListTable(table: object): table is AnyListTable {
  return 'recordSplit' in table;
}

/** A row of any table. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** A declared table, whatever its columns. */
export interface AnyTable {
  readonly name: string;
  readonly columns: Columns;
  readonly partition: readonly string[];
  readonly clustering: readonly string[];
  readonly writtenNow: boolean;
  readonly writeLoads: readonly WriteLoad[];
  readonly get: Statement<StoredRow, StoredRow | null>;
  readonly keys: Scan;
  readonly rows: Scan;
  readonly put: string;
  readonly putAt: string;
  readonly removeAt: string;
  readonly clear: string;
  readonly clearAt: string;
}

/**
 * Declares a table. Its order is descending by default.
 *
 * @example
 * ```ts
 * const guests = table('guests', { hotelId: id, guestId: id, name: optional(text(400)) }, { partition: ['hotelId'], clustering: ['guestId'] });
 * const guest = await load(guests.get, { hotelId: '1', guestId: '7' }); // a row, or null
 * ```
 */
export function table<
  C extends Columns,
  const P extends keyof C & string,
  const K extends keyof C & string = never,
>(
  name: string,
  columns: C,
  key: {
    partition: readonly P[];
    clustering?: readonly K[];
    order?: 'asc' | 'desc';
    writtenNow?: boolean;
    role?: TableRole;
    writeLoad?: WriteLoad | readonly WriteLoad[];
    /** The greatest size of a partition in bytes, if the code sees to it that only few rows are as large as they may be. */
    pageBytes?: number | undefined;
  },
): Table<C, P, K> {
  const clustering = key.clustering ?? [];
  const order = key.order ?? 'desc';
  const names = Object.keys(columns);
  const shape = { name, columns, partition: key.partition, clustering, order, pageBytes: key.pageBytes };
  const put = `INSERT INTO ${name} (${names.map(toSnakeCase).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  const row = equal([...key.partition, ...clustering]);
  return {
    ...shape,
    writtenNow: key.writtenNow ?? false,
    role: key.role,
    writeLoads: [key.writeLoad ?? []].flat(),
    rowBytes: sizeOfRow(columns).maxBytes,
    get: getStatement(shape),
    page: pageStatement(shape),
    within: (leading) => withinStatement(shape, leading),
    count: countStatement(shape),
    keys: createScan(shape, [...key.partition, ...clustering]),
    rows: createScan(shape, names),
    put,
    putAt: `${put} USING TIMESTAMP ? AND TTL ?`,
    remove: `DELETE FROM ${name} WHERE ${row}`,
    removeAt: `DELETE FROM ${name} USING TIMESTAMP ? WHERE ${row}`,
    clear: `DELETE FROM ${name} WHERE ${equal(key.partition)}`,
    clearAt: `DELETE FROM ${name} USING TIMESTAMP ? WHERE ${equal(key.partition)}`,
  };
}

/** The same table for reads that leave out a column. */
export function without<
  C extends Columns,
  P extends keyof C & string,
  K extends keyof C & string,
  const L extends Exclude<keyof C & string, P | K>,
>(of: Table<C, P, K>, left: L): Table<Omit<C, L>, P & keyof Omit<C, L>, K & keyof Omit<C, L>> {
  type Kept = Omit<C, L>;
  const { [left]: _, ...columns } = of.columns;
  return table(of.name, columns, {
    // A column of the key is never left out, which TypeScript cannot tell of generic types.
    partition: of.partition as readonly (P & keyof Kept)[],
    clustering: of.clustering as readonly (K & keyof Kept)[],
    order: of.order,
    pageBytes: of.pageBytes,
  });
}

/** After how many rows a partition of a list is full, unless its table says otherwise: 350 kB of likes, 3.5 MB of tweets. */
export const FULL_ROWS = 10_000;
/** The least `FULL_ROWS` of a list: with fewer, a long list would have more partitions than are read of it. */
const MIN_FULL_ROWS = 100;

/**
 * Declares a table of lists, newest first. Its clustering columns must be timestamps or ids. A table of large rows gives a smaller
 * `fullRows`, of 100 or more. `shards` divides lists that everybody adds to. A partition may come to three times as many rows before the next one begins, and gets what comes in ten
 * seconds more.
 *
 * @example
 * ```ts
 * const stays = listTable(
 *   'stays_by_guest',
 *   { guestId: id, arrivedAt: timestamp, hotelId: id },
 *   { owner: 'guestId', clustering: ['arrivedAt', 'hotelId'] },
 * );
 * type Stay = Row<typeof stays>;
 * ```
 */
export function listTable<
  C extends Columns,
  const O extends keyof C & string,
  const K extends keyof C & string,
>(
  name: string,
  columns: C,
  key: {
    owner: O;
    clustering: readonly K[];
    fullRows?: number;
    shards?: number;
    writeLoad?: WriteLoad | readonly WriteLoad[];
  },
): ListTable<C, O, K> {
  const { owner, clustering, fullRows = FULL_ROWS, shards = 1, writeLoad = [] } = key;
  if (shards < 1 || shards > MAX_SHARDS)
    throw new Error(`shards of ${name} must be 1 to ${MAX_SHARDS}, but is ${shards}.`);
  if (fullRows < MIN_FULL_ROWS)
    throw new Error(`fullRows of ${name} must be at least ${MIN_FULL_ROWS}, but is ${fullRows}.`);
  const partition: readonly (O | 'bucket')[] = [owner, 'bucket'];
  const declared = table<ListColumns<C>, O | 'bucket', K>(
    name,
    { ...columns, ...listColumns },
    { partition, clustering, writeLoad },
  );
  const where = `${toSnakeCase(owner)} = ? AND bucket = ?`;
  const keys = clustering.map(
    (property) => `${columns[property]?.select(toSnakeCase(property)) ?? ''} AS "${property}"`,
  );
  return {
    ...declared,
    owner,
    shards,
    fullRows,
    slice: sliceStatement(declared.page, declared),
    positions: `SELECT ${keys.join(', ')} FROM ${name} WHERE ${where} LIMIT ?`,
    // Written as if long ago, so that it does not undo `recordSplit`.
    recordUsed: `UPDATE ${name} USING TIMESTAMP 1 SET is_split = false WHERE ${toSnakeCase(owner)} = ? AND bucket = 0`,
    recordSplit: `UPDATE ${name} SET is_split = true WHERE ${toSnakeCase(owner)} = ? AND bucket = 0`,
  };
}

function equal(properties: readonly string[]): string {
  return properties.map((property) => `${toSnakeCase(property)} = ?`).join(' AND ');
}
