/** How much something reads: partitions of tables, and rows of these partitions. */
export interface Cost {
  /** A read is one partition of one table, or one more slice of that partition. */
  readonly reads: number;
  readonly rows: number;
}

/** The same with the bytes of the rows, of lists those that they show. */
export interface SizedCost extends Cost {
  readonly bytes: number;
}

/** The names of the units in messages. */
export const unitNames: Readonly<Record<keyof SizedCost, string>> = {
  reads: 'partitions',
  rows: 'rows',
  bytes: 'bytes',
};

/** The cost of something that reads nothing. */
export const FREE: Cost = { reads: 0, rows: 0 };

/** The cost of several things together. */
export function sumOf(costs: readonly Cost[]): Cost {
  return costs.reduce((sum, { reads, rows }) => ({ reads: sum.reads + reads, rows: sum.rows + rows }), FREE);
}

/** The cost of something done several times. */
export function times({ reads, rows }: Cost, count: number): Cost {
  return { reads: reads * count, rows: rows * count };
}

/** The cost of something that reads nothing, with bytes. */
export const FREE_SIZED: SizedCost = { ...FREE, bytes: 0 };

/** The cost of several things together, with bytes. */
export function sizedSumOf(costs: readonly SizedCost[]): SizedCost {
  return { ...sumOf(costs), bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The greater of two costs, in each unit. */
export function greatestOf(a: SizedCost, b: SizedCost): SizedCost {
  return {
    reads: Math.max(a.reads, b.reads),
    rows: Math.max(a.rows, b.rows),
    bytes: Math.max(a.bytes, b.bytes),
  };
}
