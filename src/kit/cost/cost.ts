/** How much something reads: partitions of tables, and rows of these partitions. */
export interface Cost {
  /** A read is one partition of one table, or one more slice of that partition. */
  readonly reads: number;
  readonly rows: number;
}

/** What messages call the two units. */
export const unitNames: Readonly<Record<keyof Cost, string>> = { reads: 'partitions', rows: 'rows' };

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

/** The greater of two costs, in each unit. */
export function greaterOf(a: Cost, b: Cost): Cost {
  return { reads: Math.max(a.reads, b.reads), rows: Math.max(a.rows, b.rows) };
}
