import type { GraphQLFieldExtensions } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Cost } from './cost';

/** What a bound is computed from: the checked arguments of a field, with defaults filled in. */
export interface CostArguments {
  readonly args: Readonly<Record<string, unknown>>;
  /** How many items the page or list has at most; for other fields what a field above declared, or 25. */
  readonly limit: number;
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
  /**
   * `object`: the fields of one object read the same partitions of the table, so only the most expensive field counts.
   * `request`: the whole request reads the table once.
   */
  readonly scope?: 'object' | 'request';
  /** Whether the cost is the same for all arguments. */
  readonly isConstant?: boolean;
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

/** What a field declares about its reads; empty for one that reads nothing. */
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

/** The bound of reading `count` rows of a table, each by its key. */
export function rowsOf({ name }: Named, count = 1): TableBound {
  return { table: name, cost: () => ({ reads: count, rows: count }), isConstant: true };
}

/** Marks a bound as a read that the fields of an object share. */
export function sharedByObject(bound: TableBound): TableBound {
  return { ...bound, scope: 'object' };
}

/** Marks a bound as a read that a request makes once, however many fields need it. */
export function oncePerRequest(bound: TableBound): TableBound {
  return { ...bound, scope: 'request' };
}

/** A bound that is computed from the arguments. */
export function upTo({ name }: Named, cost: TableBound['cost']): TableBound {
  return { table: name, cost };
}

/** Extends a bound to further tables: it limits the reads of all of them in total. */
export function together(bound: TableBound, ...others: readonly Named[]): TableBound {
  const { table, otherTables = [] } = bound;
  const names = new Set([...otherTables, ...others.map(({ name }) => name)]);
  names.delete(table);
  return { ...bound, otherTables: [...names] };
}

/** Combines alternatives of which only one applies. */
export function oneOf(...alternatives: readonly (readonly TableBound[])[]): OneOf {
  return { oneOf: alternatives };
}
