/** The type of a column: its name in CQL, and `T`, the type of its values in this code. */
export interface Column<T> {
  /** The CQL type, spelled as in `system_schema.columns`. */
  readonly cql: string;
  /** The CQL expression that selects the column. 64-bit integers are selected as decimal text, so that none becomes a float. */
  select(column: string): string;
  /** The serialized bytes of a value. For a column of a partition key, the token is computed from them. */
  bytes?(value: T): Buffer;
  /** The greatest size of a value in bytes, as it is read: of text in UTF-8, of 64-bit integers and days as text. */
  readonly maxBytes: number;
  /** Whether all values count as that many bytes. */
  readonly isFixed?: true;
  /** Whether the column may have no value: see `optional`. */
  readonly isOptional?: true;
  /** Whether the column is static: a partition stores it once, for all its rows. */
  readonly isStatic?: true;
  /** The types whose ids are in the values: see `idOf` and `holding`. */
  readonly ids?: readonly string[];
  /** Whether a value has the id of an object of a type, where only the parts of the value can tell: see `holding`. */
  readonly holds?: (value: unknown, id: string, type: string) => boolean;
  readonly _?: T;
}

/** A column whose values have all the same size. */
function fixed<T>(cql: string, maxBytes: number, bytes?: (value: T) => Buffer): Column<T> {
  return { cql, select: (name) => name, maxBytes, isFixed: true, ...(bytes && { bytes }) };
}

/** A column whose values have at most `maxBytes` bytes. */
function varying<T>(cql: string, maxBytes: number, bytes?: (value: T) => Buffer): Column<T> {
  return { cql, select: (name) => name, maxBytes, ...(bytes && { bytes }) };
}

/** The most digits of a 64-bit integer, and its sign. */
const ID_BYTES = 20;

/** A 64-bit integer, as a decimal string. A column with an id is declared by `idOf` or, in a list, by `ref`. */
export const id: Column<string> = {
  cql: 'bigint',
  maxBytes: ID_BYTES,
  isFixed: true,
  select: (name) => `CAST(${name} AS text)`,
  bytes(value) {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64BE(BigInt(value));
    return buffer;
  },
};

/**
 * A column with the id of an object of a type, or of one of several types. So whatever holds the id of a person can be found: see
 * `npm run verify -- --user`.
 *
 * @example
 * ```ts
 * const visits = table('visits', { hotelId: idOf('Hotel'), guestId: idOf('User') }, { partition: ['hotelId'], clustering: ['guestId'] });
 * ```
 */
export function idOf(...types: readonly [string, ...string[]]): Column<string> {
  return { ...id, ids: types };
}

/**
 * A column whose values have ids of objects of some types among other things, as decimal numbers: a list, a key of two ids, or JSON.
 *
 * @example
 * ```ts
 * const guests = holding(texts(100 * id.maxBytes), 'User');
 * ```
 */
export function holding<T>(of: Column<T>, ...types: readonly [string, ...string[]]): Column<T> {
  return { ...of, ids: types };
}

/** A 32-bit integer. */
export const int = fixed<number>('int', 4, (value) => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
});

/** A 64-bit floating-point number. */
export const double = fixed<number>('double', 8);

/** True or false. */
export const flag = fixed<boolean>('boolean', 1);

/**
 * Text of at most `maxBytes` bytes of UTF-8. The size is checked where the text is given: by `written`, with the same number.
 *
 * @example
 * ```ts
 * const MAX_NAME_BYTES = 400;
 * const name = text(MAX_NAME_BYTES);
 * const bounds = written(100, MAX_NAME_BYTES); // of the input: at most 100 graphemes, and the bytes of the column
 * ```
 */
export function text(maxBytes: number): Column<string> {
  return varying<string>('text', maxBytes, (value) => Buffer.from(value));
}

/** A day in UTC, such as `2026-10-31`. */
export const day: Column<string> = {
  cql: 'date',
  maxBytes: 10,
  isFixed: true,
  select: (name) => `CAST(${name} AS text)`,
  bytes(value) {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32BE(Date.parse(value) / 86_400_000 + 2 ** 31);
    return buffer;
  },
};

/** A moment, to the millisecond. */
export const timestamp = fixed<Date>('timestamp', 8, (value) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(BigInt(value.getTime()));
  return buffer;
});

/** A name that code gives: of a list, a kind, a state, a server. */
export const label = text(100);

/** A column of at most `maxBytes` bytes. */
export function blob(maxBytes: number): Column<Buffer> {
  return varying<Buffer>('blob', maxBytes);
}

/**
 * A short list of texts, together of at most `maxBytes` bytes, written and read as a whole. The driver stores and returns an empty list
 * as null.
 *
 * @example
 * ```ts
 * const amenities = texts(20 * 100); // at most 20 names of 100 bytes
 * ```
 */
export function texts(maxBytes: number): Column<readonly string[] | null> {
  return varying<readonly string[] | null>('frozen<list<text>>', maxBytes);
}

/**
 * A short list of at most `maxItems` 32-bit integers, which counts as so many; otherwise like `texts`.
 *
 * @example
 * ```ts
 * const floors = ints(10);
 * ```
 */
export function ints(maxItems: number): Column<readonly number[] | null> {
  return fixed<readonly number[] | null>('frozen<list<int>>', 4 * maxItems);
}

/**
 * A set of at most `maxItems` 32-bit integers, to which writes add some each: by `SET c = c + ?`, because other writes would replace it. The
 * driver returns an empty set as null.
 */
export function growingInts(maxItems: number): Column<readonly number[] | null> {
  return optional(fixed<readonly number[] | null>('set<int>', 4 * maxItems));
}

/** A point on the map, in degrees (WGS 84), and its country if that is known. */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly country?: string | null | undefined;
}

/** A `GeoPoint`, stored as the user-defined type `location`. The name of its country has at most `maxCountryBytes` bytes. */
export function geoPoint(maxCountryBytes: number): Column<GeoPoint> {
  return varying<GeoPoint>('frozen<location>', 16 + maxCountryBytes);
}

/**
 * A column that may have no value: it is null when read, and may be left out when written.
 *
 * @example
 * ```ts
 * const nickname = optional(text(400)); // string | null
 * ```
 */
export function optional<T>(of: Column<T>): Column<T | null> {
  return { ...of, isOptional: true };
}

/**
 * A static column: a partition stores it once, for all its rows.
 *
 * @example
 * ```ts
 * table('rooms_of_hotel', { hotelId: id, number: int, hotelName: staticColumn(text(400)) }, { partition: ['hotelId'], clustering: ['number'] });
 * ```
 */
export function staticColumn<T>(of: Column<T>): Column<T> {
  return { ...of, isStatic: true };
}

/** A read-only column: the write timestamp of another column, in microseconds since 1970; null if that one has no value. */
export function writtenAt(column: string): Column<string | null> {
  return {
    cql: 'bigint',
    select: () => `CAST(WRITETIME(${column}) AS text)`,
    maxBytes: ID_BYTES,
    isFixed: true,
  };
}
