import type { Database, Write } from '../kit/cassandra/database';
import type { AnyTable, StoredRow } from '../kit/cassandra/table';
import { buckets } from '../kit/lists/buckets';
import type { ListRows } from '../kit/writes/row-writer';
import { writeOf } from '../kit/cassandra/write';

/** A table whose rows are derived from other tables, so that it can be rebuilt and verified. */
export interface DerivedTable {
  readonly table: AnyTable;
  /** The tables that the rows are derived from. The first source gives every row of the table. */
  readonly sources: readonly DerivationSource[];
  /** The key with which to ask the first source whether it gives a row. Every row that it then gives may be in the table. */
  readonly sourceKeyOf: (row: StoredRow) => string;
  /** Whether the days or months of this list are rows of `buckets`. */
  readonly hasBuckets?: boolean;
  /** Whether the rows are derived from counts, so that the counts must be rebuilt first. */
  readonly isFromCounts?: boolean;
  /** Says, in place of the source, whether each row may be in the table. */
  readonly areAllowed?: (
    context: DerivationOptions,
    rows: readonly StoredRow[],
  ) => Promise<readonly boolean[]>;
  /** Whether a row without a source is no error: its source is about to be stored, or the row is about to expire. */
  readonly isTransient?: (context: DerivationOptions, row: StoredRow) => boolean | Promise<boolean>;
  /** Columns that do not come from the sources. */
  readonly ignoredColumns?: readonly string[];
  /** Writes what must be stored before these rows can be found. */
  readonly prepare?: (context: DerivationOptions, rows: readonly StoredRow[]) => Promise<void>;
  /** Writes a row over what was found, if a plain write will not do. Resolves to whether it was written. */
  readonly put?: (context: DerivationOptions, row: StoredRow, found: StoredRow | null) => Promise<boolean>;
  /** Removes a row, if a plain removal will not do. */
  readonly remove?: (context: DerivationOptions, row: StoredRow) => Promise<void>;
}

/** A table that other tables are derived from. */
export interface DerivationSource {
  readonly table: AnyTable;
  /** The source key that a primary key belongs to, as text; null if nothing is derived from that row. */
  keyOf(primaryKey: StoredRow): string | null;
  /** Streams all writes that are derived from the rows of source keys; a row that does not exist gives none. */
  writesOf(context: DerivationOptions, sourceKeys: readonly string[]): AsyncIterable<readonly Write[]>;
}

/** The means of deriving rows. */
export interface DerivationOptions {
  readonly database: Database;
  /** How many months tweets stay in timelines; null means for ever. */
  readonly retentionMonths: number | null;
}

/** The values of some properties of a row, as words of one text. */
export function joinProperties(row: StoredRow, ...properties: readonly string[]): string {
  return properties.map((property) => String(row[property])).join(' ');
}

/** The writes of rows of lists, and those of their buckets. */
export function writesWithBuckets({ writes, listBuckets }: ListRows): Write[] {
  return [...writes, ...listBuckets.map((listBucket) => writeOf(buckets, listBucket))];
}
