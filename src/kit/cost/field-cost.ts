import type { GraphQLField } from 'graphql';
import { ClientError } from '../errors';
import { FREE, sumOf, times, type Cost } from './cost';
import { declarationOf, type Asked, type Bound, type TableBound } from './reads';

/** What a field reads of one table at most. */
export interface TableCost extends Cost {
  readonly table: string;
}

/** What the fields of one object read, each as often as the object is there. */
export interface ObjectReads {
  cost(field: GraphQLField<unknown, unknown>, asked: Asked): TableCost[];
  /** What the page information of a connection reads to tell whether something stands in front of the page. */
  behind(bounds: readonly TableBound[], asked: Asked): TableCost[];
}

/** Makes what adds the reads of a query's fields up. What a request or an object reads once counts once. */
export function createFieldReads(): { ofObject(this: void, count: number): ObjectReads } {
  const ofRequest = new Map<string, Cost>();
  return {
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
      return {
        cost: (field, asked) =>
          (declarationOf(field).reads ?? [])
            .flatMap((bound) => dearest(bound, asked))
            .map(({ bound, cost }) => counted(bound, cost))
            .filter(({ reads }) => reads > 0),
        behind: (bounds, asked) =>
          bounds.flatMap((bound) => {
            const cost = bound.behind?.(asked);
            return cost ? counted(bound, cost) : [];
          }),
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
