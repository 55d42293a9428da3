import { type Caching, cacheable } from '../cassandra/statement';
import type { WriteLoad } from '../cassandra/write-load';
import { listTable, type Columns, type ListTable, type RowOf } from '../cassandra/table';
import { stretchReads, visibilityReads, splitPagesOf } from './page-bounds';
import { bySelection, type TableBound } from '../cost/reads';
import type { Load } from '../reads/load';
import { connect, type Connection } from './connection';
import type { PositionValue } from './cursor';
import { hideRows } from './hide-rows';
import type { List, Checks, Visible } from './list-parts';
import { pageOf } from './page';
import { type ConnectionArguments } from '../input/page-args';
import { bucketList, type BucketTable } from './bucket-list';
import type { AnyNode, ListContext, NodeDeclaration, PageHiding, Ref, Selects, ShownAt } from './node';
import type { From } from './source';

/** The list behind a connection of each object that has it: a stored list, or a list that is read by hand, such as a timeline. */
export interface ShownList<R extends object, X extends ListContext> {
  /** The type of the objects that have the list. */
  readonly of: AnyNode;
  /** The type of its items. */
  readonly item: AnyNode;
  /** The property of a row that has the id of its item; null if the rows are the items. */
  readonly points: string | null;
  readonly columns: Columns;
  /** The most that a page reads. */
  readonly reads: readonly TableBound[];
  /** Opens the list of an owner for one page. `selects` tells which fields of its items the query selects. */
  open(this: void, context: X, ownerId: string, selects?: Selects, place?: ShownAt): OpenList<R>;
}

/** A list that is open for one page. */
interface OpenList<R, I extends object = object> {
  readonly list: List<R>;
  /** The item of a row that the page shows; null if it is only read when a query asks for it. */
  find(this: void, row: R): I | null;
}

type RowOfList<C extends Columns, O extends keyof C & string, K extends keyof C & string> = RowOf<
  ListTable<C, O, K>['columns']
>;

/** A stored list: its table, which is written and repaired as others are, and all that follows from its declaration. */
type StoredList<C extends Columns, O extends keyof C & string, K extends keyof C & string> = ListTable<
  C,
  O,
  K
> &
  ShownList<RowOfList<C, O, K>, ListContext> & {
    /** All rows of an owner's list, whether their items may be shown or not. */
    list(this: void, load: Load, ownerId: string): List<RowOfList<C, O, K>>;
    /** The list with its rows to show, perhaps as they were a moment ago, if the list is declared so. */
    shownList(this: void, load: Load, ownerId: string): List<RowOfList<C, O, K>>;
    /** The source that its rows follow from, if the list declares one. */
    readonly from: From<object> | undefined;
  };

type Flat<T> = { readonly [P in keyof T]: T[P] };
/** The columns of a list: those of its items if it holds them, of its owner and its order, and further ones. */
type ColumnsOf<O extends string, K, V, H> = Flat<
  Omit<H, O | keyof K | keyof V> & Readonly<Record<O, Ref>> & K & V
>;

type OrNull<T> = { readonly [P in keyof T]: T[P] | null };

/**
 * Declares a list of each owner, newest first. `order` has moments and ids, and ends with the id of the item. With `holds`, a row has all
 * columns of its item; otherwise its last column names the item. `also` has further columns. `from` is the source that each row follows
 * from; if a fact has null for a column of the key, there is no row. `cached` says which pages servers keep.
 */
export function list<
  const O extends string,
  const K extends Columns,
  const V extends Columns = K,
  H extends Columns = K,
>(
  name: string,
  declared: {
    readonly owner: { readonly [P in O]: Ref };
    readonly order: K;
    readonly also?: V;
    readonly holds?: NodeDeclaration<H>;
    // Without NoInfer, TypeScript would take the columns from the source.
    readonly from?: NoInfer<From<OrNull<RowOf<ColumnsOf<O, K, V, H>>>>>;
    readonly fullRows?: number;
    readonly writeLoad?: WriteLoad;
    readonly cached?: Caching;
  },
): StoredList<ColumnsOf<O, K, V, H>, O, keyof K & string> {
  type C = ColumnsOf<O, K, V, H>;
  type R = RowOfList<C, O, keyof K & string>;
  const { owner: owners, order, also, holds, from, cached, ...size } = declared;
  const [owner, ...others] = Object.keys(owners) as O[];
  const clustering = Object.keys(order) as (keyof K & string)[];
  const last = clustering.at(-1);
  const item: AnyNode | undefined = holds ?? (last && (order[last] as Partial<Ref> | undefined)?.of);
  if (owner === undefined || others.length > 0 || last === undefined || item === undefined)
    throw new Error(`${name} must have one owner, and an order that ends with what its rows stand for.`);
  // TypeScript knows less of a spread of generic types than `ColumnsOf` says.
  const columns = { ...also, ...holds?.columns, ...owners, ...order } as unknown as C;
  const key = { owner, clustering, ...size };
  const table = listTable<C, O, keyof K & string>(name, columns, key);
  const points = holds ? null : last;
  const position = positionBy(clustering);
  const listIn = (slice: typeof table.slice) => {
    const source = { name, clustering, slice } as unknown as BucketTable<R & { isSplit: boolean | null }, O>;
    return (load: Load, ownerId: string): List<R> =>
      bucketList(load, source, { [owner]: ownerId } as Record<O, string>, position);
  };
  const all = listIn(table.slice);
  const { onDemand } = item;
  // A list that holds its items leaves out what of them is read on demand.
  const head = holds && onDemand !== undefined ? headOf(name, columns, onDemand, key) : undefined;
  const sized = head && onDemand !== undefined ? bySelection([item.name, onDemand], table, head) : table;
  const headList = head && listIn(head.slice as unknown as typeof table.slice);
  const shownList = cached ? listIn(cacheable(table.slice, cached)) : all;
  const checks = item.visible && points !== null ? [visibilityReads(item.sized)] : [];
  return {
    ...table,
    ...{ of: owners[owner].of, item, points, list: all, shownList, from },
    reads: [
      splitPagesOf(sized),
      stretchReads(),
      ...checks,
      ...(item.visible?.reads ?? []),
      ...(item.hiding?.reads ?? []),
    ],
    open(context, ownerId, selects, place) {
      const isHead = headList !== undefined && selects !== undefined && !selects(onDemand ?? '');
      return showItems(context, (isHead ? headList : shownList)(context.load, ownerId), item, points, place);
    },
  };
}

/** The table of a list for reads that leave out a column. */
function headOf(
  name: string,
  columns: Columns,
  left: string,
  key: { readonly owner: string; readonly clustering: readonly string[]; readonly fullRows?: number },
) {
  const { [left]: _, ...kept } = columns;
  return listTable<Columns, string, string>(name, kept, key);
}

/** Creates the function that gives the position of a row: its clustering key. */
function positionBy(clustering: readonly string[]): (row: object) => readonly PositionValue[] {
  const [first = '', second, ...others] = clustering;
  const valueOf = (row: object, property: string) => Reflect.get(row, property) as PositionValue;
  if (second === undefined) return (row) => [valueOf(row, first)];
  if (others.length === 0) return (row) => [valueOf(row, first), valueOf(row, second)];
  return (row) => clustering.map((property) => valueOf(row, property));
}

/**
 * Opens a list of items: leaves out those that may not be shown. `points` is the property of a row that has the id of its item, which is
 * read for that; null if rows are items. `place` is where they are shown, for what is hidden from the caller.
 */
export function showItems<R extends object, C extends Columns>(
  context: ListContext,
  list: List<R>,
  item: NodeDeclaration<C>,
  points: (keyof R & string) | null,
  place: ShownAt = 'LIST',
): OpenList<R, RowOf<C>> {
  const hiding = context.sight?.isNobody === false ? item.hiding?.open(context, place) : undefined;
  const opened = showVisible(context, list, item, points);
  return hiding ? hideFrom(context, opened, item, points, hiding) : opened;
}

/** Leaves out of a list what is hidden from the caller. */
function hideFrom<R extends object, C extends Columns>(
  { load }: ListContext,
  { list, find }: OpenList<R, RowOf<C>>,
  item: NodeDeclaration<C>,
  points: (keyof R & string) | null,
  { learn, hides }: PageHiding<object>,
): OpenList<R, RowOf<C>> {
  const [key = ''] = item.table.partition;
  // Users are hidden by their ids, other items by what they are.
  const isById = item.madeBy === 'itself' && points !== null;
  const objectOf = (row: R): object | null => (isById ? { [key]: row[points] } : find(row));
  const read = async (row: R) =>
    isById || points === null ? objectOf(row) : item.find(load, String(row[points]));
  const ofRows: PageHiding<R> = {
    async learn(rows) {
      const objects = await Promise.all(rows.map(read));
      await learn(objects.filter((object) => object !== null));
    },
    hides(row) {
      const object = objectOf(row);
      return object !== null && hides(object);
    },
  };
  return { find, list: hideRows(list, ofRows) };
}

/** Leaves out of a list what nobody may see. Items by hidden users count as hidden, because they are still in the counts of others. */
function showVisible<R extends object, C extends Columns>(
  context: ListContext,
  list: List<R>,
  item: NodeDeclaration<C>,
  points: (keyof R & string) | null,
): OpenList<R, RowOf<C>> {
  const isVisible = visibleTest(context, item);
  if (points === null)
    // Rows that are items have all columns of these.
    return {
      list: isVisible ? { ...list, shown: isVisible } : list,
      find: (row) => row as unknown as RowOf<C>,
    };
  const { isHidden } = context.load;
  if (isHidden && item.madeBy === 'itself')
    return {
      list: { ...list, shown: (row) => !isHidden(String(row[points])) || 'hidden' },
      find: () => null,
    };
  if (!isVisible) return { list, find: () => null };
  const found = new Map<R, RowOf<C>>();
  const shown = async (row: R, checks: Checks) => {
    const object = await item.find(context.load, String(row[points]));
    const isShown = object !== null && (await isVisible(object, checks));
    if (object !== null && isShown === true) found.set(row, object);
    return isShown;
  };
  return { list: { ...list, shown }, find: (row) => found.get(row) ?? null };
}

/** The test which items a page shows; undefined if it shows all. */
function visibleTest(
  context: ListContext,
  { visible, madeBy }: AnyNode,
): ((object: object, checks: Checks) => Visible | Promise<Visible>) | undefined {
  const test = visible?.test(context);
  const { isHidden } = context.load;
  if (isHidden === undefined || typeof madeBy !== 'function') return test;
  return (object, checks) => (isHidden(madeBy(object)) ? 'hidden' : (test?.(object, checks) ?? true));
}

/** Reads a page of an open list whose edges tell only the items. It has `defaultSize` items if the arguments give no number. */
export function connectItems<R, I extends object>(
  { list, find }: OpenList<R, I>,
  args: ConnectionArguments,
  defaultSize?: number,
): Promise<Connection<I | null, { cursor: string; node: I | null }>> {
  return connect(
    list,
    pageOf(list.name, args, defaultSize),
    (row, cursor) => ({ cursor, node: find(row) }),
    find,
  );
}
