import { badInput } from '../base/errors';
import { id, type Column } from './column';
import { sizeOfRow, type RowSize } from './row-size';

/** A named, prepared read. A loader batches its keys. */
export interface Statement<Key, Result> {
  /** `<table>.<verb>`, as it appears in logs, metrics, tests and `extensions.explain`. */
  readonly name: string;
  readonly table: string;
  /** How large its rows are. */
  readonly size: RowSize;
  /** The cache from which the server may answer requests with what it has read in the last moments: see `cacheable`. */
  readonly cached?: Caching & { readonly of: Statement<Key, Result> };
  bind(key: Key): BoundStatement;
  pick(rows: readonly object[]): Result;
}

/** A read of one partition, in a form that lets several reads become one request. */
export class BoundStatement {
  /** The value of the first partition column. */
  readonly owner: string | number;
  /** Reads of one kind differ only in their owner and member, so they can be sent as one request with `IN` over these. */
  readonly kind: string;

  constructor(
    private readonly shape: Shape,
    private readonly key: Values,
    readonly texts: Texts,
    /** All values except the owner and the member. */
    readonly values: readonly unknown[],
    /** The property of the clustering key in which reads of one kind may differ, too: see `pageOfMemberStatement`. */
    readonly memberProperty?: string,
  ) {
    this.owner = key[shape.partition[0] ?? ''] as string | number;
    this.kind = values.length === 0 ? texts.name : `${texts.name}\0${values.join('\0')}`;
  }

  /** The value of that property. */
  get member(): string | undefined {
    return this.memberProperty === undefined ? undefined : (this.key[this.memberProperty] as string);
  }

  /** Equal for equal reads of one statement. */
  get id(): string {
    return `${this.owner}\0${this.member ?? ''}\0${this.kind}`;
  }

  /** The bucket or row, if one request can read several of one owner. It is then the first of `values`. */
  get part(): unknown {
    const { ofParts } = this.texts;
    return ofParts && this.key[ofParts.property];
  }

  /** Reads of one such kind differ only in their bucket or row. */
  get kindOfOwner(): string {
    return `${this.texts.name}\0${this.owner}\0${this.values.slice(1).join('\0')}`;
  }

  /** The property of a row that holds the owner. */
  get ownerProperty(): string {
    return this.shape.partition[0] ?? '';
  }

  /** The bytes of the partition key, from which the driver computes the replicas. */
  routingKey(): Buffer[] {
    const { partition, columns } = this.shape;
    return partition.map((property) => columns[property]?.bytes?.(this.key[property]) ?? Buffer.alloc(0));
  }
}

/** The beginning of a page, and the most rows that it has. */
export type PageKey<R, P extends keyof R> = Pick<R, P> & {
  /** The clustering key after which the page begins, in the direction of reading. */
  readonly after?: readonly unknown[] | undefined;
  /** The clustering key where the page ends at the latest: its row belongs to a page in descending order, and to none in ascending order. */
  readonly end?: readonly unknown[] | undefined;
  /** Whether to read against the table's order. */
  readonly reversed?: boolean;
  readonly limit: number;
};

/** The parts of the CQL of a table's reads. */
export interface Shape {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column<unknown>>>;
  readonly partition: readonly string[];
  readonly clustering: readonly string[];
  readonly order: 'asc' | 'desc';
  readonly pageBytes?: number | undefined;
}

/** Converts a property to its name in CQL: `userId` becomes `user_id`. */
export function toSnakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Reads one row by its whole primary key. */
export function getStatement<Key, R>(shape: Shape): Statement<Key, R | null> {
  const keys = [...shape.partition, ...shape.clustering];
  const rest = keys.slice(1);
  const texts = buildTexts(shape, 'get', rest, '');
  return {
    name: `${shape.name}.get`,
    table: shape.name,
    size: sizeOfRow(shape.columns),
    bind: (key) => new BoundStatement(shape, key as Values, texts, pickValues(key as Values, rest)),
    pick: (rows) => (rows[0] as R | undefined) ?? null,
  };
}

/** Reads all rows of a partition whose clustering key begins with given values. */
export function withinStatement<Key, R>(
  shape: Shape,
  leading: readonly string[],
): Statement<Key, readonly R[]> {
  const rest = [...shape.partition.slice(1), ...leading];
  const texts = buildTexts(shape, `within ${leading.join(' ')}`, rest, '');
  const own = rowPicker(shape);
  return {
    name: `${shape.name}.within`,
    table: shape.name,
    size: sizeOfRow(shape.columns),
    bind: (key) => new BoundStatement(shape, key as Values, texts, pickValues(key as Values, rest)),
    pick: (rows) => own(rows) as readonly R[],
  };
}

/**
 * Reads some rows of one partition in either direction, from its end or from a position. If one request reads several
 * partitions in reverse, their rows come interleaved, but the rows of each partition stay in order. Cassandra allows
 * `ORDER BY` with `IN` only if the driver does not page the result, and reads here are never paged. Throws `BAD_USER_INPUT`
 * if the values of a position do not have the types of the clustering key: positions come from clients, in cursors.
 * `properties` are what the rows have; the property of the first partition column, or the bucket, may be there besides.
 */
export function pageStatement<Key, R>(
  shape: Shape,
  properties: readonly string[] = Object.keys(shape.columns),
): Statement<Key, readonly R[]> {
  const rest = shape.partition.slice(1);
  const columns = shape.clustering.map(toSnakeCase);
  const markers = columns.map(() => '?').join(', ');
  const texts = (reversed: boolean, after: boolean, end: boolean) => {
    const ascending = (shape.order === 'asc') !== reversed;
    const compare = (operator: string) => ` AND (${columns.join(', ')}) ${operator} (${markers})`;
    const begin = after ? compare(ascending ? '>' : '<') : '';
    const bound = end ? `${begin}${compare(ascending ? '<' : '>=')}` : begin;
    const order = reversed
      ? ` ORDER BY ${columns.map((c) => `${c} ${ascending ? 'ASC' : 'DESC'}`).join(', ')}`
      : '';
    const name = `${reversed ? 'reversed' : 'page'}${after ? ' after' : ''}${end ? ' to' : ''}`;
    return buildTexts(shape, name, rest, `${bound}${order} PER PARTITION LIMIT ?`, properties);
  };
  const eitherWay = (after: boolean, end: boolean) =>
    [texts(false, after, end), texts(true, after, end)] as const;
  const all = [
    eitherWay(false, false),
    eitherWay(true, false),
    eitherWay(false, true),
    eitherWay(true, true),
  ] as const;
  const own = rowPicker(shape);
  return {
    name: `${shape.name}.page`,
    table: shape.name,
    size: {
      ...sizeOfRow(shape.columns, [...new Set([...shape.partition, ...properties])]),
      pageBytes: shape.pageBytes,
    },
    bind(key) {
      const { after, end, reversed, limit } = key as unknown as PageKey<Values, never>;
      if (after && !isPosition(shape, after)) throw badInput('A cursor must be one that this list returned.');
      const [forwards, backwards] = end ? (after ? all[3] : all[2]) : after ? all[1] : all[0];
      const values = pickValues(key as Values, rest);
      for (const value of after ?? []) values.push(exact(value));
      for (const value of end ?? []) values.push(exact(value));
      values.push(limit);
      return new BoundStatement(shape, key as Values, reversed ? backwards : forwards, values);
    },
    pick: (rows) => own(rows) as readonly R[],
  };
}

/** Some rows of a partition of a list. */
export interface ListSlice<R> {
  readonly rows: readonly R[];
  /** The static columns of the partition. Null if they are unknown, as after the partition's last row. */
  readonly statics: Partial<R> | null;
}

/** Reads as `pageStatement` does, and also the static columns, if the partition has no rows. */
export function sliceStatement<Key, R>(
  page: Statement<Key, readonly R[]>,
  shape: Shape,
): Statement<Key, ListSlice<R>> {
  const own = rowPicker(shape);
  return {
    name: page.name,
    table: page.table,
    size: page.size,
    bind: (key) => page.bind(key),
    pick: (rows) => ({
      rows: own(rows) as readonly R[],
      // A partition with static values but no rows comes as one row without a clustering key.
      statics: (rows[0] as Partial<R> | undefined) ?? null,
    }),
  };
}

/** Leaves out the row without a clustering key that Cassandra returns for a partition with static values but no rows. */
function rowPicker({ columns, clustering: [first] }: Shape): (rows: readonly object[]) => readonly object[] {
  const hasStatic = Object.values(columns).some(({ isStatic }) => isStatic);
  if (first === undefined || !hasStatic) return (rows) => rows;
  return (rows) => rows.filter((row) => Reflect.get(row, first) !== null);
}

/** Counts the rows of one partition. */
export function countStatement<Key>(shape: Shape): Statement<Key, number> {
  const rest = shape.partition.slice(1);
  const owner = shape.partition[0] ?? '';
  // COUNT(*) would count a partition with static values but no rows as one row.
  const counted = toSnakeCase(shape.clustering[0] ?? '') || '*';
  const select = `${selectProperty(shape, owner)} AS "${owner}", CAST(COUNT(${counted}) AS text) AS n`;
  const where = rest.map((property) => ` AND ${toSnakeCase(property)} = ?`).join('');
  const tail = `${where} GROUP BY ${shape.partition.map(toSnakeCase).join(', ')}`;
  const read = `SELECT ${select} FROM ${shape.name} WHERE ${toSnakeCase(owner)}`;
  const texts = { name: 'count', cql: `${read} = ?${tail}`, cqlOfMany: `${read} IN ?${tail}` };
  return {
    name: `${shape.name}.count`,
    table: shape.name,
    size: sizeOfRow({ ...shape.columns, n: id }, [owner, 'n']),
    bind: (key) => new BoundStatement(shape, key as Values, texts, pickValues(key as Values, rest)),
    pick: (rows) => Number(Reflect.get(rows[0] ?? { n: '0' }, 'n')),
  };
}

export type Values = Readonly<Record<string, unknown>>;

/** The CQL of a read: for one owner, for several, and for several buckets or rows of one owner. */
export interface Texts {
  /** Distinguishes the texts of one statement from each other. */
  readonly name: string;
  readonly cql: string;
  readonly cqlOfMany: string;
  /** The CQL for several buckets, if the partition key is owner and bucket, or for several rows, if the primary key begins with owner and row. */
  readonly ofParts?:
    { readonly property: string; readonly cql: string; readonly areRows: boolean } | undefined;
}

/** The second column of the partition key of lists. */
const BUCKET = 'bucket';

/** The property by which several reads of one owner may differ that are one request. */
function partOf({ partition, clustering, columns }: Shape, name: string): string | undefined {
  if (partition.length === 2 && partition[1] === BUCKET) return BUCKET;
  const [row = ''] = clustering;
  const areRows = partition.length === 1 && name === (clustering.length === 1 ? 'get' : `within ${row}`);
  return areRows && columns[row]?.cql === 'bigint' ? row : undefined;
}

function buildTexts(
  shape: Shape,
  name: string,
  rest: readonly string[],
  tail: string,
  properties: readonly string[] = Object.keys(shape.columns),
): Texts {
  const owner = shape.partition[0] ?? '';
  const equal = (some: readonly string[]) =>
    some.map((property) => ` AND ${toSnakeCase(property)} = ?`).join('');
  const where = `${equal(rest)}${tail}`;
  // Rows of several reads are told apart by their owner, bucket or clustering key.
  const select = (property?: string) =>
    `SELECT ${selectedFrom(shape, new Set([...properties, ...(property === undefined ? [] : [property])]))}`;
  const part = partOf(shape, name);
  return {
    name,
    cql: `${select()} WHERE ${toSnakeCase(owner)} = ?${where}`,
    cqlOfMany: `${select(owner)} WHERE ${toSnakeCase(owner)} IN ?${where}`,
    ofParts:
      part === undefined
        ? undefined
        : {
            property: part,
            areRows: part !== BUCKET,
            cql: `${select(part)} WHERE ${toSnakeCase(owner)} = ? AND ${toSnakeCase(part)} IN ?${equal(rest.slice(1))}${tail}`,
          },
  };
}

/** Selects properties of a table, under their names in this code. */
export function selectedFrom(shape: Shape, properties: Iterable<string>): string {
  const selected = Array.from(properties, (property) => {
    const expression = selectProperty(shape, property);
    return expression === property ? property : `${expression} AS "${property}"`;
  });
  return `${selected.join(', ')} FROM ${shape.name}`;
}

/** The CQL expression that selects a property. */
export function selectProperty(shape: Shape, property: string): string {
  return shape.columns[property]?.select(toSnakeCase(property)) ?? '';
}

/** Converts a Date to milliseconds. Equal reads are recognised by the text of their values, and the text of a Date has no milliseconds. */
export function exact(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

/** The values of some properties of a key, as they are bound. */
export function pickValues(key: Values, properties: readonly string[]): unknown[] {
  return properties.map((property) => exact(key[property]));
}

/** Rules by which a server keeps the results of a statement. */
export interface Caching {
  /** Whether it also keeps that there is no row, which is right where that means a count of 0. */
  readonly absence: boolean;
  /** Whether results are large. Then it keeps only those that are asked for again within moments. */
  readonly isLarge?: boolean;
  /** A longer time for rows that hardly ever change. */
  readonly longer?: LongerCaching;
}

/** Rules by which results are cached for longer than others. Every writer of a row stores an invalidation of it first. */
export interface LongerCaching {
  /** The longer time, in seconds. */
  readonly seconds: number;
  /** Reads the invalidations. Resolves to a test whether the rows of an owner may have changed in that time. */
  changes(this: void, read: Read): Promise<(owner: string | number) => boolean>;
}

type Read = <Key, Result>(statement: Statement<Key, Result>, key: Key) => Promise<Result>;

/** Creates a statement whose results requests may take from the server's cache, where those of `statement` are always read. */
export function cacheable<Key, Result>(
  statement: Statement<Key, Result>,
  caching: Caching,
): Statement<Key, Result> {
  return { ...statement, cached: { ...caching, of: statement } };
}

/** Creates a statement that reads the same, with a result made of that of `statement`. The server's cache keeps the made result. */
export function mapResult<Key, Result, Made>(
  statement: Statement<Key, Result>,
  make: (result: Result) => Made,
): Statement<Key, Made> {
  const { name, table, size } = statement;
  return {
    ...{ name, table, size },
    bind: (key) => statement.bind(key),
    pick: (rows) => make(statement.pick(rows)),
  };
}

/** Whether values have the number and types of the table's clustering key. */
function isPosition(shape: Shape, values: readonly unknown[]): boolean {
  return (
    values.length === shape.clustering.length &&
    shape.clustering.every((property, index) => fitsType(shape.columns[property]?.cql, values[index]))
  );
}

function fitsType(cql: string | undefined, value: unknown): boolean {
  if (cql === 'bigint') {
    if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
    return BigInt.asIntN(64, BigInt(value)) === BigInt(value);
  }
  if (cql === 'timestamp') return value instanceof Date && !Number.isNaN(value.getTime());
  return cql === 'int' ? Number.isInteger(value) : typeof value === 'string';
}
