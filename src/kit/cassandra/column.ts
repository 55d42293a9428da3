/** A column's type: what CQL calls it, and what a value of it is here. */
export interface Column<T> {
  /** The CQL type, as `system_schema.columns` writes it. */
  readonly cql: string;
  /** How the column is selected: 64-bit integers come as decimal text, so that none passes through a float. */
  select(column: string): string;
  /** The bytes of a value, for columns of a partition key: which node holds it is computed from them. */
  bytes?(value: T): Buffer;
  /** Whether a partition says it once, for all its rows. */
  readonly isStatic?: true;
  readonly _?: T;
}

function column<T>(cql: string, bytes?: (value: T) => Buffer): Column<T> {
  return { cql, select: (name) => name, ...(bytes && { bytes }) };
}

/** A 64-bit integer, a decimal string here. */
export const id: Column<string> = {
  cql: 'bigint',
  select: (name) => `CAST(${name} AS text)`,
  bytes(value) {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64BE(BigInt(value));
    return buffer;
  },
};

/** A 32-bit integer. */
export const int = column<number>('int', (value) => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
});

/** A 64-bit floating-point number. */
export const double = column<number>('double');

/** True or false. */
export const flag = column<boolean>('boolean');

/** UTF-8 text. */
export const text = column<string>('text', (value) => Buffer.from(value));

/** A UTC day, `2026-10-31`. */
export const day: Column<string> = {
  cql: 'date',
  select: (name) => `CAST(${name} AS text)`,
  bytes(value) {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32BE(Date.parse(value) / 86_400_000 + 2 ** 31);
    return buffer;
  },
};

/** A moment, to the millisecond. */
export const timestamp = column<Date>('timestamp', (value) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(BigInt(value.getTime()));
  return buffer;
});

/** A short list of texts, written and read whole. The driver stores and gives an empty one as null. */
export const texts = column<readonly string[] | null>('frozen<list<text>>');

/** A short list of 32-bit integers, as `texts`. */
export const ints = column<readonly number[] | null>('frozen<list<int>>');

/** Where a tweet was posted, in degrees (WGS 84). */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly country?: string | null | undefined;
}

/** The user-defined type `location`. */
export const place = column<GeoPoint>('frozen<location>');

/** A column that may be absent: null when read, left out when written. */
export function optional<T>(of: Column<T>): Column<T | null> {
  return { ...of };
}

/** A column that a partition says once, for all its rows (`static` in CQL). */
export function shared<T>(of: Column<T>): Column<T> {
  return { ...of, isStatic: true };
}

/** When a column of a row was written, in microseconds since 1970; null where it holds nothing. Only to be read. */
export function writtenAt(column: string): Column<string | null> {
  return { cql: 'bigint', select: () => `CAST(WRITETIME(${column}) AS text)` };
}
