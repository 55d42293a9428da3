import type { Checks, Visible } from './list-parts';
import { idOf, type Column } from '../cassandra/column';
import type { Statement } from '../cassandra/statement';
import { without, type Columns, type RowOf, type Table } from '../cassandra/table';
import { bySelection, type Sized, type TableBound } from '../cost/reads';
import type { Load } from '../reads/load';

/** The parts of a request's context that lists need. */
export interface ListContext {
  readonly load: Load;
  /** Finds out what is hidden from the caller, for the `hiding` of nodes. Without it, nothing is. */
  readonly sight?: Sighting;
}

/** Reads what is hidden from the caller, as the application knows it; null if nothing is. */
interface Sighting {
  (this: void): Promise<unknown>;
  /** Whether the caller is nobody, from whom nothing is hidden: then lists need not ask. */
  readonly isNobody: boolean;
}

/** The place where objects are shown. The application tells places apart; `LIST` is any other list. */
export type ShownAt = string;

/** A rule that says which objects of a type are hidden from the caller of a request. */
export interface Hiding<R, X> {
  /** Begins to read what is needed for a page; undefined if nothing is hidden from the caller. */
  open(this: void, context: X, place: ShownAt): PageHiding<R> | undefined;
  /** The reads of a request for the rule. */
  readonly reads: readonly TableBound[];
}

/** A test of which objects of a page are hidden. */
export interface PageHiding<R> {
  /** Reads what is needed of some objects, before `hides` is asked about them. */
  learn(this: void, objects: readonly R[]): Promise<void>;
  hides(this: void, object: R): boolean;
}

/** A rule that says which rows of a list are hidden from the caller because of its owner. */
export interface OwnerHiding<R, X, O> {
  open(this: void, context: X, owner: O): PageHiding<R>;
  /** The reads of a page for the rule. */
  readonly reads: readonly TableBound[];
}

/** A rule that says which objects of a type may be shown, for types whose objects may be hidden, or gone while lists still name them. */
interface Visibility<R, X> {
  /** Creates the test for one page. It is asked about each object of the page, and counts what it reads among the checks. */
  test(this: void, context: X): (object: R, checks: Checks) => Visible | Promise<Visible>;
  /** The reads of a page for the rule. */
  readonly reads: readonly TableBound[];
}

/** A type of objects with ids, as lists see it. */
export interface NodeDeclaration<C extends Columns> {
  readonly name: string;
  readonly type: () => new () => object;
  readonly columns: C;
  readonly table: Table<Columns, string, string>;
  /** The table, as bounds count its rows. */
  readonly sized: Sized;
  /** A large column that is read only if a query selects the field of its name. */
  readonly onDemand: string | undefined;
  /** Reads an object by its id, to show it; null if there is none. `selects` tells which of its fields the query selects. */
  readonly find: (load: Load, objectId: string, selects?: Selects) => Promise<RowOf<C> | null>;
  /** Reads an object to show it by itself: null also if the user who has made it is hidden. */
  readonly findShown: NodeDeclaration<C>['find'];
  /** The id under which an object has its lists. */
  readonly ownerId: (object: object) => string;
  readonly visible: Visibility<object, ListContext> | undefined;
  /** The user who has made an object, or `itself` if objects are users: lists leave out those of hidden users. */
  readonly madeBy: ((object: object) => string) | 'itself' | undefined;
  readonly hiding: Hiding<object, ListContext> | undefined;
}

/** Whether a query selects a field of the objects that another field returns. */
export type Selects = (field: string) => boolean;

/** A type of objects, whatever its columns. */
export type AnyNode = NodeDeclaration<Columns>;

/**
 * Declares a type of objects for lists: they belong to such objects, and their rows are or name such objects. `read` reads an object to
 * show it, by default as `table.get` does. `onDemand` is a large column that is read only if a query selects it. `ownerId` is the id under which an object has lists, if that is not its own. `visible` says
 * which objects lists leave out, besides those that `madeBy` says are of hidden users, and `hiding` which are hidden from one caller. The context that it asks for must be that of the server, as for a parameter with `@Ctx`.
 */
export function node<
  C extends Columns,
  const P extends keyof C & string,
  X extends ListContext = ListContext,
>(
  table: Table<C, P, never>,
  declared: {
    readonly name: string;
    readonly type: () => new () => object;
    readonly read?: Statement<Pick<RowOf<C>, P>, RowOf<C> | null>;
    readonly onDemand?: Exclude<keyof C & string, P>;
    readonly ownerId?: (object: RowOf<C>) => string;
    readonly visible?: Visibility<RowOf<C>, X>;
    readonly madeBy?: ((object: RowOf<C>) => string) | 'itself';
    readonly hiding?: Hiding<NoInfer<RowOf<C>>, never>;
  },
): NodeDeclaration<C> {
  const { name, type, read = table.get, onDemand, ownerId, visible, madeBy, hiding } = declared;
  const [key, ...others] = table.partition;
  if (key === undefined || others.length > 0)
    throw new Error(`${table.name} must have one key, which is the id of an object.`);
  const keyOf = (objectId: string) => ({ [key]: objectId }) as Pick<RowOf<C>, P>;
  const head = onDemand && without(table, onDemand);
  // A column that is left out is not selected, so nothing can tell the difference.
  const readHead = head?.get as typeof read | undefined;
  const find: NodeDeclaration<C>['find'] = (load, objectId, selects) =>
    load(onDemand && readHead && selects?.(onDemand) === false ? readHead : read, keyOf(objectId));
  return {
    ...{ name, type, table, columns: table.columns, onDemand },
    sized: head ? bySelection([name, onDemand], table, head) : table,
    find,
    async findShown(load, objectId, selects) {
      const object = await find(load, objectId, selects);
      if (object === null || madeBy === undefined) return object;
      return load.isHidden?.(madeBy === 'itself' ? objectId : madeBy(object)) === true ? null : object;
    },
    // The types of objects and contexts are left out, so that lists of all kinds of nodes have one type.
    ownerId: (ownerId ?? ((object: RowOf<C>) => String(object[key]))) as NodeDeclaration<C>['ownerId'],
    visible: visible as NodeDeclaration<C>['visible'],
    madeBy: madeBy as NodeDeclaration<C>['madeBy'],
    hiding,
  };
}

/** Returns the same type with a further test: lists show only objects that pass it. */
export function suchThat<C extends Columns>(
  of: NodeDeclaration<C>,
  test: (object: RowOf<C>) => boolean | Promise<boolean>,
): NodeDeclaration<C> {
  const accepts = test as (object: object) => boolean | Promise<boolean>;
  return {
    ...of,
    visible: {
      reads: of.visible?.reads ?? [],
      test(context) {
        const isVisible = of.visible?.test(context);
        return async (object, checks) =>
          (await accepts(object)) && (!isVisible || (await isVisible(object, checks)));
      },
    },
  };
}

const bare = Symbol('bare');

/** Marks an object that stands for one that nobody may see, where that cannot be left out: its lists are empty. */
export function asBare<T extends object>(object: T): T {
  return { ...object, [bare]: true };
}

/** Whether an object stands for one that nobody may see. */
export function isBare(object: object): boolean {
  return bare in object;
}

/** Declares a column with the id of an object: the owner of a list, or the item of its rows. */
export interface Ref extends Column<string> {
  readonly of: AnyNode;
}

/** Declares a column with the id of an object of a type. */
export function ref(of: AnyNode): Ref {
  return { ...idOf(of.name), of };
}
