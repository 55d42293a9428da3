import { badInput } from '../base/errors';
import type { Column } from './column';

/** A named, prepared read whose keys a loader batches. */
export interface Statement<Key, Result> {
  /** `<table>.<verb>`: in logs, metrics, tests and answers that explain themselves. */
  readonly name: string;
  readonly table: string;
  bind(key: Key): Bound;
  pick(rows: readonly object[]): Result;
}

/** A read of one partition, in the shape in which several reads can become one request. */
export class Bound {
  /** The value of the first partition column. */
  readonly owner: string | number;
  /** Reads of one kind differ in their owner only: they may go out together, as `IN` over their owners. */
  readonly kind: string;

  constructor(
    private readonly shape: Shape,
    private readonly key: Values,
    readonly texts: Texts,
    /** All values but the owner. */
    readonly values: readonly unknown[],
  ) {
    this.owner = key[shape.partition[0] ?? ''] as string | number;
    this.kind = values.length === 0 ? texts.name : `${texts.name}\0${values.join('\0')}`;
  }

  /** Equal for equal reads of one statement. */
  get id(): string {
    return `${this.owner}\0${this.kind}`;
  }

  /** The property of a row in which the owner comes back. */
  get ownerProperty(): string {
    return this.shape.partition[0] ?? '';
  }

  /** The bytes of the partition key, which tell the replicas. */
  routingKey(): Buffer[] {
    const { partition, columns } = this.shape;
    return partition.map((property) => columns[property]?.bytes?.(this.key[property]) ?? Buffer.alloc(0));
  }
}

/** Where a page begins and how much it holds. */
export type PageKey<R, P extends keyof R> = Pick<R, P> & {
  /** The clustering key of the row that the page begins after, in the direction of reading. */
  readonly after?: readonly unknown[] | undefined;
  /** Read against the table's order. */
  readonly reversed?: boolean;
  readonly limit: number;
};

interface Shape {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column<unknown>>>;
  readonly partition: readonly string[];
  readonly clustering: readonly string[];
  readonly order: 'asc' | 'desc';
}

/** The name in CQL of a property: `userId` is `user_id`. */
export function snake(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Reads one row by its whole primary key. */
export function getStatement<Key, R>(shape: Shape): Statement<Key, R | null> {
  const keys = [...shape.partition, ...shape.clustering];
  const rest = keys.slice(1);
  const texts = textsOf(shape, 'get', rest, '');
  return {
    name: `${shape.name}.get`,
    table: shape.name,
    bind: (key) => new Bound(shape, key as Values, texts, valuesOf(key as Values, rest)),
    pick: (rows) => (rows[0] as R | undefined) ?? null,
  };
}

/** Reads all rows of a partition that begin with some values of the clustering key. */
export function withinStatement<Key, R>(
  shape: Shape,
  leading: readonly string[],
): Statement<Key, readonly R[]> {
  const rest = [...shape.partition.slice(1), ...leading];
  const texts = textsOf(shape, `within ${leading.join(' ')}`, rest, '');
  const own = rowsOf(shape);
  return {
    name: `${shape.name}.within`,
    table: shape.name,
    bind: (key) => new Bound(shape, key as Values, texts, valuesOf(key as Values, rest)),
    pick: (rows) => own(rows) as readonly R[],
  };
}

/** Reads those rows of a partition whose only clustering column is one of some values. */
export function amongStatement<Key, R>(shape: Shape): Statement<Key, readonly R[]> {
  const [column = ''] = shape.clustering;
  const rest = shape.partition.slice(1);
  const texts = textsOf(shape, 'among', rest, ` AND ${snake(column)} IN ?`);
  return {
    name: `${shape.name}.among`,
    table: shape.name,
    bind(key) {
      const values = key as Values;
      return new Bound(shape, values, texts, [
        ...valuesOf(values, rest),
        (values['among'] as readonly unknown[]).map(exact),
      ]);
    },
    pick: (rows) => rows as readonly R[],
  };
}

/**
 * Reads some rows of one partition, in either direction, from the end or from a position. Rows of several partitions
 * that are one request come merged when read in reverse; those of one partition stay in order. Cassandra orders `IN`
 * only where a result is not paged, as reads here are not. A position that fits no row is `BAD_USER_INPUT`: positions
 * come from outside, in cursors.
 */
export function pageStatement<Key, R>(shape: Shape): Statement<Key, readonly R[]> {
  const rest = shape.partition.slice(1);
  const columns = shape.clustering.map(snake);
  const places = columns.map(() => '?').join(', ');
  const texts = (reversed: boolean, after: boolean) => {
    const ascending = (shape.order === 'asc') !== reversed;
    const bound = after ? ` AND (${columns.join(', ')}) ${ascending ? '>' : '<'} (${places})` : '';
    const order = reversed
      ? ` ORDER BY ${columns.map((c) => `${c} ${ascending ? 'ASC' : 'DESC'}`).join(', ')}`
      : '';
    const name = `${reversed ? 'reversed' : 'page'}${after ? ' after' : ''}`;
    return textsOf(shape, name, rest, `${bound}${order} PER PARTITION LIMIT ?`);
  };
  const all = [texts(false, false), texts(false, true), texts(true, false), texts(true, true)] as const;
  const own = rowsOf(shape);
  return {
    name: `${shape.name}.page`,
    table: shape.name,
    bind(key) {
      const { after, reversed, limit } = key as unknown as PageKey<Values, never>;
      if (after && !isPosition(shape, after)) throw badInput('A cursor must be one that this list gave.');
      const chosen = reversed ? (after ? all[3] : all[2]) : after ? all[1] : all[0];
      const values = valuesOf(key as Values, rest);
      for (const value of after ?? []) values.push(exact(value));
      values.push(limit);
      return new Bound(shape, key as Values, chosen, values);
    },
    pick: (rows) => own(rows) as readonly R[],
  };
}

/** Picks the rows of a partition: one that has lost them all may still say what they shared, as a row without a clustering key. */
function rowsOf({ columns, clustering: [first] }: Shape): (rows: readonly object[]) => readonly object[] {
  const isSharing = Object.values(columns).some(({ isStatic }) => isStatic);
  if (first === undefined || !isSharing) return (rows) => rows;
  return (rows) => rows.filter((row) => Reflect.get(row, first) !== null);
}

/** Counts the rows of one partition. */
export function countStatement<Key>(shape: Shape): Statement<Key, number> {
  const rest = shape.partition.slice(1);
  const owner = shape.partition[0] ?? '';
  const select = `${selectionOf(shape, owner)} AS "${owner}", CAST(COUNT(*) AS text) AS n`;
  const where = rest.map((property) => ` AND ${snake(property)} = ?`).join('');
  const tail = `${where} GROUP BY ${shape.partition.map(snake).join(', ')}`;
  const read = `SELECT ${select} FROM ${shape.name} WHERE ${snake(owner)}`;
  const texts = { name: 'count', cql: `${read} = ?${tail}`, cqlOfMany: `${read} IN ?${tail}` };
  return {
    name: `${shape.name}.count`,
    table: shape.name,
    bind: (key) => new Bound(shape, key as Values, texts, valuesOf(key as Values, rest)),
    pick: (rows) => Number(Reflect.get(rows[0] ?? { n: '0' }, 'n')),
  };
}

/** How a whole table is read, partition by partition in the order of their tokens. */
export interface Scan {
  /** All rows. */
  readonly all: string;
  /** From a token on, at most ten rows of a partition, and so many of all. */
  readonly from: string;
}

/** Reads some properties of all rows of a table. */
export function scanOf(shape: Shape, properties: readonly string[]): Scan {
  const selected = properties.map((property) => `${selectionOf(shape, property)} AS "${property}"`);
  const all = `SELECT ${selected.join(', ')} FROM ${shape.name}`;
  const token = `token(${shape.partition.map(snake).join(', ')})`;
  return { all, from: `${all} WHERE ${token} >= ? PER PARTITION LIMIT 10 LIMIT ?` };
}

type Values = Readonly<Record<string, unknown>>;

/** A read as CQL, of one owner and of several. */
interface Texts {
  /** Tells the texts of a statement apart. */
  readonly name: string;
  readonly cql: string;
  readonly cqlOfMany: string;
}

function textsOf(shape: Shape, name: string, rest: readonly string[], tail: string): Texts {
  const selected = Object.entries(shape.columns).map(([property, column]) => {
    const expression = column.select(snake(property));
    return expression === property ? property : `${expression} AS "${property}"`;
  });
  const owner = snake(shape.partition[0] ?? '');
  const where = rest.map((property) => ` AND ${snake(property)} = ?`).join('');
  const read = `SELECT ${selected.join(', ')} FROM ${shape.name} WHERE ${owner}`;
  return { name, cql: `${read} = ?${where}${tail}`, cqlOfMany: `${read} IN ?${where}${tail}` };
}

function selectionOf(shape: Shape, property: string): string {
  const column: Column<unknown> | undefined = shape.columns[property];
  return column?.select(snake(property)) ?? '';
}

/** Whether values can be a clustering key of the table. */
function isPosition(shape: Shape, values: readonly unknown[]): boolean {
  return (
    values.length === shape.clustering.length &&
    shape.clustering.every((property, place) => isValueOf(shape.columns[property]?.cql, values[place]))
  );
}

function isValueOf(cql: string | undefined, value: unknown): boolean {
  if (cql === 'bigint') {
    if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
    return BigInt.asIntN(64, BigInt(value)) === BigInt(value);
  }
  if (cql === 'timestamp') return value instanceof Date && !Number.isNaN(value.getTime());
  return cql === 'int' ? Number.isInteger(value) : typeof value === 'string';
}

/** A moment in milliseconds: equal reads are told by their values as text, and a Date's text is cut to the second. */
function exact(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

function valuesOf(key: Values, properties: readonly string[]): unknown[] {
  return properties.map((property) => exact(key[property]));
}
