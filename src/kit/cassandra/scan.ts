import { sizeOfRow } from './row-size';
import { selectedFrom, toSnakeCase, type Shape } from './statement';

/** The CQL of reading a whole table, partition by partition in the order of their tokens. */
export interface Scan {
  /** Reads all rows. */
  readonly all: string;
  /** Reads from a token on: at most ten rows of each partition, and at most the given number in all. */
  readonly from: string;
  /** How many rows to read at a time, so that an answer is not too large. */
  readonly rowsAtOnce?: number;
}

const MAX_ROWS_AT_ONCE = 2000;
/** How many bytes a scan reads at a time: Cassandra and this process have them in memory. */
const MAX_BYTES_AT_ONCE = 32 * 1024 ** 2;

/** Creates the CQL that reads some properties of all rows from a token on, each with the token of its partition as `token`. */
export function resumableScan(
  shape: Shape,
  properties: readonly string[],
): { readonly cql: string; readonly rowsAtOnce: number } {
  const token = `token(${shape.partition.map(toSnakeCase).join(', ')})`;
  const { rowsAtOnce = 1 } = createScan(shape, properties);
  return {
    cql: `SELECT ${token} AS "token", ${selectedFrom(shape, properties)} WHERE ${token} >= ?`,
    rowsAtOnce,
  };
}

/** Creates the CQL that reads some properties of all rows of a table. */
export function createScan(shape: Shape, properties: readonly string[]): Scan {
  const all = `SELECT ${selectedFrom(shape, properties)}`;
  const token = `token(${shape.partition.map(toSnakeCase).join(', ')})`;
  const { maxBytes } = sizeOfRow(shape.columns, properties);
  return {
    all,
    from: `${all} WHERE ${token} >= ? PER PARTITION LIMIT 10 LIMIT ?`,
    rowsAtOnce: Math.min(MAX_ROWS_AT_ONCE, Math.max(1, Math.floor(MAX_BYTES_AT_ONCE / maxBytes))),
  };
}
