import type { GraphQLFieldExtensions } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Cost } from './cost';

/** The values from which a bound is computed: the checked arguments of a field, with defaults filled in. */
export interface CostArguments {
  readonly args: Readonly<Record<string, unknown>>;
  /** How many items the page or list has at most; for other fields what a field above declared, or 25. */
  readonly limit: number;
  /** Whether the query selects a field of the objects of a type that the field returns. */
  selects(this: void, type: string, field: string): boolean;
}

/** How much a field reads of one table at most, or of several tables together. */
export interface TableBound {
  readonly table: string;
  /** Further tables whose reads the bound includes: see `together`. */
  readonly otherTables?: readonly string[];
  /** Throws the errors that the resolver throws before it reads. */
  cost(this: void, asked: CostArguments): Cost;
  /** For a list: how much it costs to find out whether there are items on the other side of the page's cursor. */
  oppositePageCost?(this: void, asked: CostArguments): Cost;
  /** How many bytes the rows that it reads have at most. For a list these are the rows that it shows: see `shownBytes`. */
  bytes(this: void, asked: CostArguments): number;
  /**
   * `object`: the fields of one object read the same partitions of the table, so only the most expensive field counts.
   * `request`: the whole request reads the table once.
   */
  readonly scope?: 'object' | 'request';
  /** Whether the cost is the same for all arguments. */
  readonly isConstant?: boolean;
  /** Whether it is read to find out who asks, so that the answer depends on that. */
  readonly isOfCaller?: boolean;
  /** Whether it is read only for callers who are people: of others nothing is hidden. */
  readonly isForPeople?: boolean;
}

/** Alternatives of which only one applies, for example because an object has only one of several types. */
interface OneOf {
  readonly oneOf: readonly (readonly TableBound[])[];
}

/** One of the bounds that a field declares: of one table, or alternatives. */
export type Bound = TableBound | OneOf;

/** The arguments for which a description says what the field costs, if the defaults are not enough. */
interface Example {
  /** Completes "For …": `a day by minutes`. */
  readonly what: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface ReadsExtension {
  readonly reads?: readonly Bound[];
  readonly example?: Example;
  readonly items?: (args: CostArguments['args'], holds: number | null) => number;
  readonly holds?: (args: CostArguments['args']) => number;
}

/**
 * Declares which tables a field reads, and how much of each at most. The first is its main table, the one that was made for it.
 * The model and the descriptions show the declaration, the cost of a query is computed from it before anything is read, and
 * tests compare it with what is read.
 *
 * @example
 * ```ts
 * @Resolver()
 * class RoomResolver {
 *   @Reads(rowsOf(rooms))
 *   @Query(() => String, { nullable: true })
 *   async roomName() {
 *     return (await load(rooms.get, { hotelId: '1', number: 12 }))?.name;
 *   }
 * }
 * ```
 */
export function Reads(...bounds: readonly Bound[]): MethodDecorator {
  return Extensions({ reads: bounds });
}

/** Sets the arguments for which a field's description says what it costs. */
export function CostExample(what: string, args: Example['args']): MethodDecorator {
  return Extensions({ example: { what, args } });
}

/** Declares how many items a list that is not a connection has at most; `holds` is what a field above declared by `HoldsItems`. */
export function MaxItems(items: NonNullable<ReadsExtension['items']>): MethodDecorator {
  return Extensions({ items });
}

/** Declares how many items a list in the object that a field returns has at most, if that list has no arguments of its own. */
export function HoldsItems(holds: (args: CostArguments['args']) => number): MethodDecorator {
  return Extensions({ holds });
}

/** Returns the declared reads of a field; empty for one that reads nothing. */
export function declarationOf(field: {
  readonly extensions: Readonly<GraphQLFieldExtensions<unknown, unknown>>;
}): ReadsExtension {
  return field.extensions as ReadsExtension;
}

/** The bounds of a field as one list, with all alternatives. */
export function boundsOf(field: Parameters<typeof declarationOf>[0]): readonly TableBound[] {
  return (declarationOf(field).reads ?? []).flatMap((bound) =>
    'oneOf' in bound ? bound.oneOf.flat() : [bound],
  );
}

/** The names of the tables that a field declares, its main table first. */
export function tablesOf(field: Parameters<typeof declarationOf>[0]): readonly string[] {
  return [...new Set(boundsOf(field).flatMap(({ table, otherTables = [] }) => [table, ...otherTables]))];
}

interface Named {
  readonly name: string;
}

/** A table, and the greatest size of a row in bytes. */
export interface Sized extends Named {
  readonly rowBytes: number | ((this: void, asked: CostArguments) => number);
}

/** The greatest size of a row in bytes. */
export function rowBytesOf({ rowBytes }: Sized, asked: CostArguments): number {
  return typeof rowBytes === 'number' ? rowBytes : rowBytes(asked);
}

/**
 * A table for bounds whose field reads a large column only for queries that select the field of it. `heads` is the table without that
 * column. The resolver must decide by `selects`.
 */
export function bySelection(
  [type, field]: readonly [type: string, field: string],
  whole: Named & { readonly rowBytes: number },
  heads: Named & { readonly rowBytes: number },
): Sized {
  return {
    name: whole.name,
    rowBytes: ({ selects }) => (selects(type, field) ? whole : heads).rowBytes,
  };
}

/**
 * The bound of reading `count` rows of a table, each by its key.
 *
 * @example
 * ```ts
 * @Resolver()
 * class TwoRooms {
 *   @Reads(rowsOf(rooms, 2))
 *   @Query(() => Int)
 *   async found() {
 *     const keys = [1, 2].map((number) => ({ hotelId: '1', number }));
 *     return (await Promise.all(keys.map((key) => load(rooms.get, key)))).length;
 *   }
 * }
 * ```
 */
export function rowsOf(table: Sized, count = 1): TableBound {
  return {
    table: table.name,
    cost: () => ({ reads: count, rows: count }),
    bytes: (asked) => count * rowBytesOf(table, asked),
    isConstant: true,
  };
}

/**
 * Marks a bound as a read that the fields of an object share.
 *
 * @example
 * ```ts
 * const bound = sharedByObject(rowsOf(rooms));
 * ```
 */
export function sharedByObject(bound: TableBound): TableBound {
  return { ...bound, scope: 'object' };
}

/**
 * Marks a bound as a read that a request makes once, however many fields need it.
 *
 * @example
 * ```ts
 * const bound = oncePerRequest(rowsOf(rooms));
 * ```
 */
export function oncePerRequest(bound: TableBound): TableBound {
  return { ...bound, scope: 'request' };
}

/** Marks a bound as a read that finds out who asks, once per request. No shared cache keeps the answer of a field that has one. */
export function ofCaller(bound: TableBound): TableBound {
  return { ...oncePerRequest(bound), isOfCaller: true };
}

/** Marks a bound as a read that finds out what is hidden from the caller, once per request, and that no other callers cost. */
export function forPeople(bound: TableBound): TableBound {
  return { ...oncePerRequest(bound), isForPeople: true };
}

/**
 * A bound that is computed from the arguments.
 *
 * @example
 * ```ts
 * const bound = upTo(rooms, ({ limit }) => ({ reads: 1, rows: limit + 1 }));
 * ```
 */
export function upTo(table: Sized, cost: TableBound['cost']): TableBound {
  return {
    table: table.name,
    cost,
    bytes: (asked) => rowBytesOf(table, asked) * cost(asked).rows,
  };
}

/** About how many bytes a row has that only points to what is shown, or counts: ids, numbers and times. */
const POINTER_BYTES = 100;

/** Sets how many rows of a table a bound shows at most, if that is less than what it reads: the others point to them, or count. */
export function showing(table: Sized, rows: (asked: CostArguments) => number, bound: TableBound): TableBound {
  return {
    ...bound,
    bytes: (asked) => rowBytesOf(table, asked) * rows(asked) + POINTER_BYTES * bound.cost(asked).rows,
  };
}

/**
 * Extends a bound to further tables: it limits the reads of all of them in total. Each of its rows may be one of the table whose rows
 * are the largest, unless `showing` says less.
 */
export function together(bound: TableBound, ...others: readonly Sized[]): TableBound {
  const { table, otherTables = [] } = bound;
  const names = new Set([...otherTables, ...others.map(({ name }) => name)]);
  names.delete(table);
  const bytes = (asked: CostArguments) => {
    const largest = Math.max(0, ...others.map((other) => rowBytesOf(other, asked)));
    return Math.max(bound.bytes(asked), largest * bound.cost(asked).rows);
  };
  return { ...bound, bytes, otherTables: [...names] };
}

/** Combines alternatives of which only one applies. */
export function oneOf(...alternatives: readonly (readonly TableBound[])[]): OneOf {
  return { oneOf: alternatives };
}
