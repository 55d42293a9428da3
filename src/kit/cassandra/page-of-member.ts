import { sizeOfRow } from './row-size';
import {
  BoundStatement,
  exact,
  selectedFrom,
  toSnakeCase,
  pickValues,
  type PageKey,
  type Shape,
  type Statement,
  type Texts,
  type Values,
} from './statement';
import type { Columns, RowOf, Table } from './table';

/** The rows of a member that are read: those after a position, which is the rest of their clustering key, in the direction of reading. */
type MemberKey<R, P extends keyof R> = Pick<R, P> &
  Required<Pick<PageKey<R, P>, 'reversed' | 'limit'>> & { readonly after: readonly unknown[] };

/**
 * Reads rows with one value of the first clustering column, the member, of a partition that has the rows of many. The member
 * must decide the partition. One request may read several partitions, of each the rows of another member.
 */
export function pageOfMemberStatement<
  C extends Columns,
  P extends keyof C & string,
  K extends keyof C & string,
  const M extends K,
>(shape: Table<C, P, K>, member: M): Statement<MemberKey<RowOf<C>, P | M>, readonly RowOf<C>[]> {
  const rest = shape.partition.slice(1);
  const [forwards, backwards] = [
    buildMemberTexts(shape, member, false),
    buildMemberTexts(shape, member, true),
  ];
  return {
    name: `${shape.name}.page`,
    table: shape.name,
    size: sizeOfRow(shape.columns),
    bind(key) {
      const { after, reversed, limit } = key as unknown as MemberKey<Values, never>;
      const values = [...pickValues(key, rest), ...after.map(exact), limit];
      return new BoundStatement(shape, key, reversed ? backwards : forwards, values, member);
    },
    pick: (rows) => rows as readonly RowOf<C>[],
  };
}

function buildMemberTexts(shape: Shape, member: string, reversed: boolean): Texts {
  const [owner = '', ...rest] = shape.partition;
  const columns = shape.clustering.slice(1).map(toSnakeCase);
  const ascending = (shape.order === 'asc') !== reversed;
  const order = shape.clustering.map((one) => `${toSnakeCase(one)} ${ascending ? 'ASC' : 'DESC'}`).join(', ');
  const tail = [
    ...rest.map((property) => ` AND ${toSnakeCase(property)} = ?`),
    ` AND (${columns.join(', ')}) ${ascending ? '>' : '<'} (${columns.map(() => '?').join(', ')})`,
    reversed ? ` ORDER BY ${order}` : '',
    ' PER PARTITION LIMIT ?',
  ].join('');
  const read = `SELECT ${selectedFrom(shape, Object.keys(shape.columns))} WHERE ${toSnakeCase(owner)}`;
  return {
    name: `${reversed ? 'reversed' : 'page'} of ${member}`,
    cql: `${read} = ? AND ${toSnakeCase(member)} = ?${tail}`,
    cqlOfMany: `${read} IN ? AND ${toSnakeCase(member)} IN ?${tail}`,
  };
}
