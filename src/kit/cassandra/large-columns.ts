import type { Column } from './column';

/** The columns that a statement reads whose values may be large. */
export interface LargeColumns {
  readonly properties: readonly string[];
  /** How many bytes these values of a row have at most. */
  readonly rowBytes: number;
}

/** Those of some columns; of all columns by default. */
export function largeColumns(
  columns: Readonly<Record<string, Column<unknown>>>,
  among: readonly string[] = Object.keys(columns),
): LargeColumns {
  const properties = among.filter((property) => columns[property]?.maxBytes !== undefined);
  const rowBytes = properties.reduce((sum, property) => sum + (columns[property]?.maxBytes ?? 0), 0);
  return { properties, rowBytes };
}

/** How many bytes the large values of some rows have. */
export function largeBytes({ properties }: LargeColumns, rows: readonly object[]): number {
  let bytes = 0;
  for (const property of properties)
    for (const row of rows) bytes += measureValue(Reflect.get(row, property));
  return bytes;
}

function measureValue(value: unknown): number {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return Buffer.byteLength(value);
  return Array.isArray(value) ? value.reduce((sum: number, item) => sum + measureValue(item), 0) : 0;
}

/** How many bytes the large values have at most that a key reads. */
export function bytesAtMost({ rowBytes }: LargeColumns, key: unknown): number {
  return rowBytes === 0 ? 0 : rowBytes * rowsAtMost(key);
}

/** How many rows a key reads at most: the limit of a page, or 1. */
export function rowsAtMost(key: unknown): number {
  const { limit } = Object(key) as { readonly limit?: unknown };
  return typeof limit === 'number' ? limit : 1;
}
