import type { GraphQLField } from 'graphql';
import { ClientError } from '../base/errors';
import { FREE, sumOf, times, type Cost } from './cost';
import { declarationOf, type Asked, type Bound, type TableBound } from './reads';

/** What a field reads of one table at most. */
export interface TableCost extends Cost {
  readonly table: string;
}

/** What a field reads. */
export interface FieldReads {
  readonly tables: readonly TableCost[];
  /** Their sum, less what a request reads once. */
  readonly repeated: Cost;
}

/** What the fields of one object read, each as often as the object is there. */
export interface ObjectReads {
  cost(field: GraphQLField<unknown, unknown>, asked: Asked): FieldReads;
  /** What the page information of a connection reads to tell whether something stands in front of the page. */
  behind(bounds: readonly TableBound[], asked: Asked): FieldReads;
}

/** The reads of a query's fields. What a request or an object reads once counts once. */
export interface QueryReads {
  ofObject(this: void, count: number): ObjectReads;
  /** What the request reads once, of all fields so far: also of those of which a node can be only one type. */
  once(this: void): Cost;
}

/** Creates the counter of a query's reads. */
export function createFieldReads(): QueryReads {
  const ofRequest = new Map<string, Cost>();
  return {
    once: () => sumOf([...ofRequest.values()]),
    ofObject(count) {
      const ofObject = new Map<string, Cost>();
      const counted = ({ table, scope }: TableBound, cost: Cost): TableCost => {
        if (scope === undefined) return { table, ...times(cost, count) };
        const known = scope === 'object' ? ofObject : ofRequest;
        const before = known.get(table) ?? FREE;
        const more = {
          reads: Math.max(0, cost.reads - before.reads),
          rows: Math.max(0, cost.rows - before.rows),
        };
        known.set(table, { reads: before.reads + more.reads, rows: before.rows + more.rows });
        return { table, ...times(more, scope === 'object' ? count : 1) };
      };
      const readsOf = (bounds: readonly { bound: TableBound; cost: Cost }[]): FieldReads => {
        const all = bounds.map(({ bound, cost }) => ({ scope: bound.scope, table: counted(bound, cost) }));
        const repeated = all.filter(({ scope }) => scope !== 'request');
        return {
          tables: all.map(({ table }) => table).filter(({ reads }) => reads > 0),
          repeated: sumOf(repeated.map(({ table }) => table)),
        };
      };
      return {
        cost: (field, asked) =>
          readsOf((declarationOf(field).reads ?? []).flatMap((bound) => dearest(bound, asked))),
        behind: (bounds, asked) =>
          readsOf(
            bounds.flatMap((bound) => {
              const cost = bound.behind?.(asked);
              return cost ? { bound, cost } : [];
            }),
          ),
      };
    },
  };
}

/** The bounds that apply, with their costs: of several types, those of the dearest. */
export function dearest(bound: Bound, asked: Asked): { bound: TableBound; cost: Cost }[] {
  const alternatives = 'oneOf' in bound ? bound.oneOf : [[bound]];
  const [most = []] = alternatives
    .map((bounds) => bounds.map((one) => ({ bound: one, cost: unlessRefused(() => one.cost(asked), FREE) })))
    .sort((a, b) => sumOf(b.map(({ cost }) => cost)).reads - sumOf(a.map(({ cost }) => cost)).reads);
  return most;
}

/** What a formula comes to; `otherwise` where the resolver refuses the arguments before it reads. */
export function unlessRefused<T>(formula: () => T, otherwise: T): T {
  try {
    return formula();
  } catch (error) {
    if (error instanceof ClientError) return otherwise;
    throw error;
  }
}
