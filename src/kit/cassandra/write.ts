import type { Column } from './column';
import type { Write } from './database';
import { listOwnerOf } from './list-shards';
import {
  isListTable,
  type AnyListTable,
  type Cell,
  type Columns,
  type NewRowOf,
  type RowOf,
  type Table,
  type Unassigned,
} from './table';

/**
 * The timestamp and time to live of a write. If two writes of a row differ, the one with the later timestamp wins, in whatever order they
 * arrive.
 */
interface Timing {
  /** The timestamp in microseconds since 1970. */
  readonly at: number;
  /** The seconds after which the row expires; it never does if this is not given. */
  readonly ttl?: number | undefined;
}

/** The greatest time to live that Cassandra takes, in seconds: 20 years. */
const MAX_TTL_SECONDS = 630_720_000;
/**
 * Rows that would expire later than that moment are refused by Cassandra 5.0 with the storage format of earlier versions, which is its default,
 * and by earlier versions: see CASSANDRA-14092.
 */
const LAST_EXPIRY_MS = Date.UTC(2038, 0, 19);

/** The time to live of a row that is needed for so many more seconds: 0, for ever, if it is needed for longer than Cassandra can tell. */
export function ttlOf(seconds: number): number {
  return seconds > MAX_TTL_SECONDS || Date.now() + seconds * 1000 >= LAST_EXPIRY_MS ? 0 : seconds;
}

/**
 * Creates the write of a whole row. A null is left unset, so that it creates no tombstone, and so is an empty list, which is read
 * as null. The row of a list needs no bucket: see `BucketAssigner`.
 *
 * @example
 * ```ts
 * await putAll(bulk(), [writeOf(rooms, { hotelId: '1', number: 12, name: 'Sea' }, { at: Date.now() * 1000 })]);
 * ```
 */
export function writeOf<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  table: Table<C, P, K>,
  row: NewRowOf<C>,
  timing?: Timing,
): Write {
  const given: Readonly<Record<string, unknown>> = row;
  const properties = Object.keys(table.columns);
  const unassigned = unassignedOf(table, given, properties.indexOf('bucket'), false);
  const values = properties.map((property) =>
    unassigned && isOfList(property) ? undefined : toStored(given[property]),
  );
  const written = {
    partition: pickPartition(table, given),
    cells: listCells(table),
    ...(unassigned && { unassigned }),
  };
  if (timing === undefined) return { query: table.put, params: values, ...written };
  return { query: table.putAt, params: [...values, String(timing.at), timing.ttl ?? 0], ...written };
}

/** The value that is stored, undefined if there is none. The driver would store an empty list as a null, which is a tombstone. */
function toStored(value: unknown): unknown {
  return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

/** Returns the list, owner and position by which the partition of a row is chosen, if the row belongs to a list. */
function unassignedOf(
  table: { readonly clustering: readonly string[] },
  row: Readonly<Record<string, unknown>>,
  bucketAt: number,
  isRemoval: boolean,
): Unassigned | undefined {
  if (!isListTable(table)) return undefined;
  const position = table.clustering.map((property) => row[property] as Date | string);
  return { table, ...ownersOf(table, row[table.owner] as string), position, bucketAt, isRemoval };
}

/** Returns the list that a partition belongs to, by the owner of the partition. */
function ownersOf(table: AnyListTable, shardOwner: string): Pick<Unassigned, 'owner' | 'shardOwner'> {
  return { owner: listOwnerOf(table, shardOwner), shardOwner };
}

/** Whether a column of a list is filled by others than those who write its rows. */
function isOfList(property: string): boolean {
  return property === 'bucket' || property === 'isSplit';
}

/**
 * Creates writes of rows that have most values in common. The common values are serialized once instead of for each row, if
 * the type of their column can do that.
 */
export function writesOf<
  C extends Columns,
  P extends keyof C & string,
  K extends keyof C & string,
  const Own extends Exclude<P, 'bucket'>,
>(
  table: Table<C, P, K>,
  common: Omit<NewRowOf<C>, Own>,
): (own: Pick<RowOf<C>, Own>, timing: Timing) => Write {
  const isList = isListTable(table);
  const given: Readonly<Record<string, unknown>> = common;
  const encode = (property: string, value: unknown) => {
    const column: Column<unknown> | undefined = table.columns[property];
    const stored = toStored(value);
    return stored === undefined ? undefined : (column?.bytes?.(stored) ?? stored);
  };
  const properties = Object.keys(table.columns);
  const values = properties.map((property) =>
    isList && isOfList(property) ? undefined : encode(property, given[property]),
  );
  // The columns of a partition key add no bytes to a row.
  const bytes = writeBytes({ params: values, cells: listCells(table) });
  const ofList = unassignedOf(table, given, properties.indexOf('bucket'), false);
  return (own, { at, ttl = 0 }) => {
    const params = [...values, timestampBytes(at), ttl];
    for (const property in own) params[properties.indexOf(property)] = encode(property, own[property]);
    const key = table.partition.map((property) =>
      String(property in own ? Reflect.get(own, property) : given[property]),
    );
    const write = { query: table.putAt, params, partition: key.join(' '), bytes };
    if (ofList === undefined) return write;
    const owner: unknown = own[ofList.table.owner as Own];
    const owners = owner === undefined ? undefined : ownersOf(ofList.table, owner as string);
    return { ...write, unassigned: owners ? { ...ofList, ...owners } : ofList };
  };
}

function timestampBytes(microseconds: number): Buffer {
  const buffer = Buffer.allocUnsafe(8);
  buffer.writeBigInt64BE(BigInt(microseconds));
  return buffer;
}

/**
 * The most bytes of a batch of several partitions, as `writeBytes` counts them. By default Cassandra warns of larger batches
 * (`batch_size_warn_threshold`), and refuses those of more than ten times that (`batch_size_fail_threshold`).
 */
export const MAX_BATCH_BYTES = 5 * 1024;

/** The bytes that Cassandra counts for each cell besides its value: timestamp, time to live, time of deletion. */
const CELL_BYTES = 20;
/**
 * The bytes that Cassandra counts for a row besides its cells, if it has a time to live and is alone in its partition. It counts 12 less
 * without a time to live, and 29 less among other rows.
 */
const ROW_BYTES = 62;
/** The sizes of values whose type has a fixed size. */
const FIXED_BYTES: Readonly<Record<string, number>> = {
  bigint: 8,
  boolean: 1,
  date: 4,
  double: 8,
  int: 4,
  timestamp: 8,
};

/**
 * How many bytes a write adds to its batch: as many as Cassandra counts (`IMutation.dataSize`, without the partition key) or a
 * few more, and up to three times as many for a removal.
 */
export function writeBytes({
  params,
  cells,
  bytes: known,
}: Pick<Write, 'params' | 'cells' | 'bytes'>): number {
  if (known !== undefined) return known;
  let bytes = ROW_BYTES;
  if (cells === undefined) {
    for (const value of params) if (value != null) bytes += CELL_BYTES + measureParam(value);
    return bytes;
  }
  for (const [index, cell] of cells.entries()) {
    const value = params[index];
    if (value != null) bytes += cell.isFixed ? cell.bytes : cell.bytes + measureParam(value);
  }
  return bytes;
}

const cellsByTable = new WeakMap<object, readonly Cell[]>();

/** The cells of a table's rows, in the order of its columns. They are computed once for each table. */
function listCells(table: {
  readonly columns: Columns;
  readonly partition: readonly string[];
  readonly clustering: readonly string[];
}): readonly Cell[] {
  const cached = cellsByTable.get(table);
  if (cached) return cached;
  const cells = Object.entries(table.columns).map(([property, { cql }]) => {
    if (table.partition.includes(property)) return { bytes: 0, isFixed: true };
    const fixed = FIXED_BYTES[cql];
    const overhead = table.clustering.includes(property) ? 0 : CELL_BYTES;
    return { bytes: overhead + (fixed ?? 0), isFixed: fixed !== undefined };
  });
  cellsByTable.set(table, cells);
  return cells;
}

/** The size of a value in bytes; for text in UTF-8, where a Chinese character has three. */
function measureParam(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Buffer.isBuffer(value)) return value.length;
  if (typeof value !== 'object' || value === null || value instanceof Date) return 8;
  // Lists and user-defined types: each part carries its length.
  let bytes = 4;
  for (const part of Object.values(value)) bytes += 4 + measureParam(part);
  return bytes;
}

/**
 * Creates the removal of a row. `at` is its timestamp in microseconds since 1970. The row of a list needs no bucket.
 *
 * @example
 * ```ts
 * await putAll(bulk(), [removalOf(rooms, { hotelId: '1', number: 12 }, Date.now() * 1000)]);
 * ```
 */
export function removalOf<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  table: Table<C, P, K>,
  key: KeyOf<C, P, K>,
  at?: number,
): Write {
  const given: Readonly<Record<string, unknown>> = key;
  const properties: readonly string[] = [...table.partition, ...table.clustering];
  const timing = at === undefined ? [] : [String(at)];
  const unassigned = unassignedOf(table, given, timing.length + properties.indexOf('bucket'), true);
  const values = properties.map((property) =>
    unassigned && isOfList(property) ? undefined : given[property],
  );
  return {
    query: at === undefined ? table.remove : table.removeAt,
    params: [...timing, ...values],
    partition: pickPartition(table, given),
    ...(unassigned && { unassigned }),
    ...(table.writtenNow && { removed: { table, key: given } }),
  };
}

/** The primary key of a row. A row of a list needs no bucket. */
type KeyOf<C extends Columns, P extends keyof C, K extends keyof C> = Pick<RowOf<C>, RequiredKey<C, P | K>> &
  Partial<Pick<RowOf<C>, P | K>>;
type RequiredKey<C extends Columns, Q extends keyof C> = {
  [N in Q]: null extends RowOf<C>[N] ? never : N;
}[Q];

/** Creates the removal of a whole partition. `at` is its timestamp in microseconds since 1970. */
export function partitionRemovalOf<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  table: Table<C, P, K>,
  key: Pick<RowOf<C>, P>,
  at?: number,
): Write {
  const values = table.partition.map((property) => key[property]);
  return {
    query: at === undefined ? table.clear : table.clearAt,
    params: at === undefined ? values : [String(at), ...values],
    partition: pickPartition(table, key),
  };
}

function pickPartition(
  table: { readonly partition: readonly string[] },
  key: Readonly<Record<string, unknown>>,
): string {
  return table.partition.map((property) => String(key[property])).join(' ');
}
