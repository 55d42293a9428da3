/** How much something reads: partitions of tables, and the rows that they give. */
export interface Cost {
  /** A read is one partition of one table, or another slice of it. */
  readonly reads: number;
  readonly rows: number;
}

/** What messages call the two. */
export const unitNames: Readonly<Record<keyof Cost, string>> = { reads: 'partitions', rows: 'rows' };

/** Reads nothing. */
export const FREE: Cost = { reads: 0, rows: 0 };

/** The cost of several things together. */
export function sumOf(costs: readonly Cost[]): Cost {
  return costs.reduce((sum, { reads, rows }) => ({ reads: sum.reads + reads, rows: sum.rows + rows }), FREE);
}

/** The cost of something done several times. */
export function times({ reads, rows }: Cost, count: number): Cost {
  return { reads: reads * count, rows: rows * count };
}

/** A cost that is no less than either of two. */
export function greaterOf(a: Cost, b: Cost): Cost {
  return { reads: Math.max(a.reads, b.reads), rows: Math.max(a.rows, b.rows) };
}
