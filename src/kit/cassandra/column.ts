/** The type of a column: its name in CQL, and `T`, the type of its values in this code. */
export interface Column<T> {
  /** The CQL type, spelled as in `system_schema.columns`. */
  readonly cql: string;
  /** The CQL expression that selects the column. 64-bit integers are selected as decimal text, so that none becomes a float. */
  select(column: string): string;
  /** The serialized bytes of a value. For a column of a partition key, the token is computed from them. */
  bytes?(value: T): Buffer;
  /** The greatest size of a value in bytes, of a column whose values may be large: see `large`. */
  readonly maxBytes?: number;
  /** Set for a column that may have no value: see `optional`. */
  readonly isOptional?: true;
  /** Set for a static column: a partition stores it once, for all its rows. */
  readonly isStatic?: true;
  readonly _?: T;
}

function column<T>(cql: string, bytes?: (value: T) => Buffer): Column<T> {
  return { cql, select: (name) => name, ...(bytes && { bytes }) };
}

/** A 64-bit integer, as a decimal string. */
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

/** A day in UTC, such as `2026-10-31`. */
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

/** Bytes. */
export const blob = column<Buffer>('blob');

/** A short list of texts, written and read as a whole. The driver stores and returns an empty list as null. */
export const texts = column<readonly string[] | null>('frozen<list<text>>');

/** A short list of 32-bit integers; otherwise like `texts`. */
export const ints = column<readonly number[] | null>('frozen<list<int>>');

/** A point on the map, in degrees (WGS 84), and its country if that is known. */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly country?: string | null | undefined;
}

/** A `GeoPoint`, stored as the user-defined type `location`. */
export const geoPoint = column<GeoPoint>('frozen<location>');

/**
 * A column that may have no value: it is null when read, and may be left out when written.
 *
 * @example
 * ```ts
 * const nickname = optional(text); // string | null
 * ```
 */
export function optional<T>(of: Column<T>): Column<T | null> {
  return { ...of, isOptional: true };
}

/**
 * A column whose values may be large, with the greatest size of one in bytes. Reads of it count these bytes: see `LargeColumns`. Values
 * of other columns have at most some 2,000 bytes.
 *
 * @example
 * ```ts
 * const body = large(text, 100_000); // texts of at most 100,000 bytes
 * ```
 */
export function large<T>(of: Column<T>, maxBytes: number): Column<T> {
  return { ...of, maxBytes };
}

/**
 * A static column: a partition stores it once, for all its rows.
 *
 * @example
 * ```ts
 * table('rooms_of_hotel', { hotelId: id, number: int, hotelName: shared(text) }, { partition: ['hotelId'], clustering: ['number'] });
 * ```
 */
export function shared<T>(of: Column<T>): Column<T> {
  return { ...of, isStatic: true };
}

/** A read-only column: the write timestamp of another column, in microseconds since 1970; null if that one has no value. */
export function writtenAt(column: string): Column<string | null> {
  return { cql: 'bigint', select: () => `CAST(WRITETIME(${column}) AS text)` };
}
