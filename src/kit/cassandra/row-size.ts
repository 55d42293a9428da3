import type { Column } from './column';

/** How large the rows are that a statement reads, from the declarations of the columns. */
export interface RowSize {
  /** The greatest size of a row in bytes. */
  readonly maxBytes: number;
  /** The bytes of those values that need not be measured: their size is fixed, or small. */
  readonly fixedBytes: number;
  /** The properties of the other values: texts, lists and bytes. */
  readonly varying: readonly string[];
  /** The greatest size of a page in bytes, where that is less than the sizes of its rows together. */
  readonly pageBytes?: number | undefined;
}

/** Values of columns with at most so many bytes count as the greatest ones: measuring them would cost more than it tells. */
const SMALL_BYTES = 100;

/** The size of rows with some columns; with all of them by default. */
export function sizeOfRow(
  columns: Readonly<Record<string, Column<unknown>>>,
  among: readonly string[] = Object.keys(columns),
): RowSize {
  const chosen = among.flatMap((property) => {
    const column = columns[property];
    return column ? [{ property, column }] : [];
  });
  const sum = (some: typeof chosen) => some.reduce((bytes, { column }) => bytes + column.maxBytes, 0);
  const isCounted = ({ isFixed, maxBytes }: Column<unknown>) => isFixed === true || maxBytes <= SMALL_BYTES;
  return {
    maxBytes: sum(chosen),
    fixedBytes: sum(chosen.filter(({ column }) => isCounted(column))),
    varying: chosen.flatMap(({ property, column }) => (isCounted(column) ? [] : [property])),
  };
}

/** How many bytes some rows have: a value that need not be measured counts also where there is none. Every read of a request is measured. */
export function measureRows({ fixedBytes, varying }: RowSize, rows: readonly object[]): number {
  let bytes = fixedBytes * rows.length;
  for (const property of varying)
    for (const row of rows as readonly Readonly<Record<string, unknown>>[])
      bytes += measureValue(row[property]);
  return bytes;
}

/** The size of a value in bytes: of text in UTF-8, of a list or an object that of its parts. */
function measureValue(value: unknown): number {
  if (value == null) return 0;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return Buffer.byteLength(value);
  if (typeof value !== 'object') return 8;
  let bytes = 0;
  for (const part of Object.values(value)) bytes += measureValue(part);
  return bytes;
}

/** How many bytes a key reads at most. */
export function bytesAtMost({ maxBytes, pageBytes = Infinity }: RowSize, key: unknown): number {
  return Math.min(maxBytes * rowsAtMost(key), pageBytes);
}

/** How many rows a key reads at most: the limit of a page, or 1. */
export function rowsAtMost(key: unknown): number {
  const { limit } = Object(key) as { readonly limit?: unknown };
  return typeof limit === 'number' ? limit : 1;
}
