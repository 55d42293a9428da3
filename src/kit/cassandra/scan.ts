import { selectedFrom, snake, type Shape } from './statement';

/** The CQL of reading a whole table, partition by partition in the order of their tokens. */
export interface Scan {
  /** Reads all rows. */
  readonly all: string;
  /** Reads from a token on: at most ten rows of each partition, and at most the given number in all. */
  readonly from: string;
}

/** Creates the CQL that reads some properties of all rows of a table. */
export function scanOf(shape: Shape, properties: readonly string[]): Scan {
  const all = `SELECT ${selectedFrom(shape, properties)}`;
  const token = `token(${shape.partition.map(snake).join(', ')})`;
  return { all, from: `${all} WHERE ${token} >= ? PER PARTITION LIMIT 10 LIMIT ?` };
}
