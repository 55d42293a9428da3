import type { GraphQLFieldExtensions } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Cost } from './cost';

/** What a bound is computed from: the arguments of a field, checked and with their defaults. */
export interface Asked {
  readonly args: Readonly<Record<string, unknown>>;
  /** How many items the page has at most; of a field without pages, 25. */
  readonly limit: number;
}

/** How much a field reads of one table at most. */
export interface TableBound {
  readonly table: string;
  /** Throws what the resolver throws before it reads. */
  cost(this: void, asked: Asked): Cost;
  /** Of a list: how much it costs to find out whether something stands in front of the page. */
  behind?(this: void, asked: Asked): Cost;
  /**
   * `object`: fields of one object that read the table read the same partitions, so the dearest of them counts. `request`:
   * the whole request reads it once.
   */
  readonly scope?: 'object' | 'request';
  /** Whether the cost is the same whatever the arguments are. */
  readonly isConstant?: boolean;
}

/** Bounds of which only one applies: of several types, say, an object has one. */
export interface OneOf {
  readonly oneOf: readonly (readonly TableBound[])[];
}

/** What a field declares: its own table first. */
export type Bound = TableBound | OneOf;

/** Arguments for which a description says what the field costs, where the defaults are not enough. */
export interface Example {
  /** Completes "For …": `a day by minutes`. */
  readonly what: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface ReadsExtension {
  readonly reads?: readonly Bound[];
  readonly example?: Example;
  readonly items?: (args: Asked['args'], holds: number | null) => number;
  readonly holds?: (args: Asked['args']) => number;
}

/**
 * Says which tables a field reads, its own first, and how much of each at most. The model and the descriptions show it, a query's
 * bound is made of it before anything is read, and tests hold what is read against it.
 */
export function Reads(...bounds: readonly Bound[]): MethodDecorator {
  return Extensions({ reads: bounds });
}

/** Gives a field's description arguments to compute its cost for. */
export function CostExample(what: string, args: Example['args']): MethodDecorator {
  return Extensions({ example: { what, args } });
}

/** Says how many items a list that is no connection has at most; `holds` is what a field above has said by `HoldsItems`. */
export function MaxItems(items: NonNullable<ReadsExtension['items']>): MethodDecorator {
  return Extensions({ items });
}

/** Says how many items the list in the object that a field gives has at most: where that list has no arguments of its own. */
export function HoldsItems(holds: (args: Asked['args']) => number): MethodDecorator {
  return Extensions({ holds });
}

/** What a field declares about its reads; empty for one that reads nothing. */
export function declarationOf(field: {
  readonly extensions: Readonly<GraphQLFieldExtensions<unknown, unknown>>;
}): ReadsExtension {
  return field.extensions as ReadsExtension;
}

/** The bounds of a field as one list. */
export function boundsOf(field: Parameters<typeof declarationOf>[0]): readonly TableBound[] {
  return (declarationOf(field).reads ?? []).flatMap((bound) =>
    'oneOf' in bound ? bound.oneOf.flat() : [bound],
  );
}

/** The names of the tables that a field says it reads, its own first. */
export function tablesOf(field: Parameters<typeof declarationOf>[0]): readonly string[] {
  return [...new Set(boundsOf(field).map(({ table }) => table))];
}

interface Named {
  readonly name: string;
}

/** Some rows of a table, each by its key. */
export function rowsOf({ name }: Named, count = 1): TableBound {
  return { table: name, cost: () => ({ reads: count, rows: count }), isConstant: true };
}

/** A read that the fields of an object share. */
export function sharedByObject(bound: TableBound): TableBound {
  return { ...bound, scope: 'object' };
}

/** A read that a request makes once, whatever fields need it. */
export function oncePerRequest(bound: TableBound): TableBound {
  return { ...bound, scope: 'request' };
}

/** A bound that is a formula of the arguments. */
export function upTo({ name }: Named, cost: TableBound['cost']): TableBound {
  return { table: name, cost };
}

/** Bounds of which only one applies. */
export function oneOf(...alternatives: readonly (readonly TableBound[])[]): OneOf {
  return { oneOf: alternatives };
}
