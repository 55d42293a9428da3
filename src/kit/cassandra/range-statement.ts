import { sizeOfRow } from './row-size';
import {
  BoundStatement,
  exact,
  selectProperty,
  toSnakeCase,
  pickValues,
  type Shape,
  type Statement,
  type Texts,
  type Values,
} from './statement';
import type { Columns, RowOf, Table } from './table';

/** The rows of a partition that are read: those after one position and before another, in the table's order. */
type RangeKey<R, P extends keyof R, By extends keyof R> = Pick<R, P> & {
  /** The range begins after the rows with these values of `by`. */
  readonly after: Pick<R, By>;
  /** The range ends before the rows with this value of the first clustering column; without it, at the partition's end. */
  readonly before?: R[By];
  readonly limit: number;
};

/** The columns and aggregates that a range statement reads. */
interface Reading<By extends string, T extends string> {
  /** The leading clustering columns that are read. */
  readonly by: readonly By[];
  /** The other columns that are read, as they are or by an aggregate: then all rows with the same `by` become one. */
  readonly take: Readonly<Record<T, 'value' | 'sum' | 'max'>>;
}

/**
 * Reads a range of the rows of a partition, and only some columns or aggregates of them, so that fewer rows and values come from Cassandra.
 * The positions are not checked, as those of pages are, because they never come from clients.
 */
export function rangeStatement<
  C extends Columns,
  P extends keyof C & string,
  K extends keyof C & string,
  By extends K,
  T extends keyof C & string,
>(
  shape: Table<C, P, K>,
  reading: Reading<By, T>,
): Statement<RangeKey<RowOf<C>, P, By>, readonly Pick<RowOf<C>, By | T>[]> {
  const { by } = reading;
  const rest = shape.partition.slice(1);
  const open = buildRangeTexts(shape, reading, false);
  const bounded = buildRangeTexts(shape, reading, true);
  return {
    name: `${shape.name}.range`,
    table: shape.name,
    size: sizeOfRow(shape.columns, [shape.partition[0] ?? '', ...by, ...Object.keys(reading.take)]),
    bind(key) {
      const { after, before, limit } = key as unknown as RangeKey<Values, never, string>;
      const end = before === undefined ? [] : [exact(before)];
      const values = [...pickValues(key, rest), ...pickValues(after, by), ...end, limit];
      return new BoundStatement(shape, key, before === undefined ? open : bounded, values);
    },
    pick: (rows) => rows as readonly Pick<RowOf<C>, By | T>[],
  };
}

function buildRangeTexts(shape: Shape, { by, take }: Reading<string, string>, isBounded: boolean): Texts {
  const [owner = '', ...others] = shape.partition;
  const aggregates = Object.entries(take);
  const isGrouped = aggregates.some(([, how]) => how !== 'value');
  const selected = [
    ...[owner, ...by].map((property) => `${selectProperty(shape, property)} AS "${property}"`),
    ...aggregates.map(([property, how]) => {
      const selection = selectProperty(shape, property);
      return `${how === 'value' ? selection : `${how}(${selection})`} AS "${property}"`;
    }),
  ];
  const [compare, until] = shape.order === 'asc' ? ['>', '<'] : ['<', '>'];
  const conditions = [
    ...others.map((property) => `${toSnakeCase(property)} = ?`),
    `(${by.map(toSnakeCase).join(', ')}) ${compare} (${by.map(() => '?').join(', ')})`,
    ...(isBounded ? [`(${toSnakeCase(by[0] ?? '')}) ${until} (?)`] : []),
  ];
  const group = isGrouped ? ` GROUP BY ${[...shape.partition, ...by].map(toSnakeCase).join(', ')}` : '';
  const read = `SELECT ${selected.join(', ')} FROM ${shape.name} WHERE ${toSnakeCase(owner)}`;
  const tail = ` AND ${conditions.join(' AND ')}${group} PER PARTITION LIMIT ?`;
  return {
    name: [...by, isBounded ? 'until' : 'on', isGrouped ? 'grouped' : ''].join(' '),
    cql: `${read} = ?${tail}`,
    cqlOfMany: `${read} IN ?${tail}`,
  };
}
