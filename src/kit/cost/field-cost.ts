import type { GraphQLField } from 'graphql';
import { ClientError } from '../base/errors';
import { FREE, sumOf, times, type Cost } from './cost';
import { declarationOf, type CostArguments, type Bound, type TableBound } from './reads';

/** How much a field reads of one table at most, or of several tables together. */
export type TableCost = Cost & Pick<TableBound, 'table' | 'otherTables'>;

/** How much a field reads at most. */
interface FieldReads {
  readonly tables: readonly TableCost[];
  /** The sum of the tables, without what is read once per request. */
  readonly repeated: Cost;
}

/** Counts the reads of an object's fields, multiplied by the number of such objects. */
interface ObjectReads {
  cost(field: GraphQLField<unknown, unknown>, asked: CostArguments): FieldReads;
  /** What `pageInfo` reads to find out whether there are items on the other side of the cursor that the page starts from. */
  oppositePageCost(bounds: readonly TableBound[], asked: CostArguments): FieldReads;
}

/** Counts the reads of a query's fields. What an object or a request reads only once counts once. */
interface QueryReads {
  ofObject(this: void, count: number): ObjectReads;
  /** What the request reads once, for all fields so far. If a node may have several types, the fields of all types count. */
  once(this: void): Cost;
  /** From here on, the request reads again what it has read once: a mutation forgets what was read before it. */
  forget(this: void): void;
}

/** Creates the counter of a query's reads. */
export function createFieldReads(): QueryReads {
  const ofRequest = new Map<string, Cost>();
  let forgotten = FREE;
  const once = () => sumOf([forgotten, ...ofRequest.values()]);
  return {
    once,
    forget() {
      forgotten = once();
      ofRequest.clear();
    },
    ofObject(count) {
      const ofObject = new Map<string, Cost>();
      const counted = ({ table, otherTables, scope }: TableBound, cost: Cost): TableCost => {
        const named = { table, ...(otherTables && { otherTables }) };
        if (scope === undefined) return { ...named, ...times(cost, count) };
        const known = scope === 'object' ? ofObject : ofRequest;
        const before = known.get(table) ?? FREE;
        const more = {
          reads: Math.max(0, cost.reads - before.reads),
          rows: Math.max(0, cost.rows - before.rows),
        };
        known.set(table, { reads: before.reads + more.reads, rows: before.rows + more.rows });
        return { ...named, ...times(more, scope === 'object' ? count : 1) };
      };
      const readsOf = (bounds: readonly { bound: TableBound; cost: Cost }[]): FieldReads => {
        const all = bounds.map(({ bound, cost }) => ({ scope: bound.scope, table: counted(bound, cost) }));
        const repeated = all.filter(({ scope }) => scope !== 'request');
        return {
          tables: byTable(all.map(({ table }) => table).filter(({ reads }) => reads > 0)),
          repeated: sumOf(repeated.map(({ table }) => table)),
        };
      };
      return {
        cost: (field, asked) =>
          readsOf((declarationOf(field).reads ?? []).flatMap((bound) => dearest(bound, asked))),
        oppositePageCost: (bounds, asked) =>
          readsOf(
            bounds.flatMap((bound) => {
              const { oppositePageCost } = bound;
              return oppositePageCost
                ? { bound, cost: unlessRefused(() => oppositePageCost(asked), FREE) }
                : [];
            }),
          ),
      };
    },
  };
}

/** Adds up the costs of one table: a field may declare it several times, for example once for each of two arguments. */
function byTable(costs: readonly TableCost[]): TableCost[] {
  const tables = new Map<string, TableCost>();
  for (const cost of costs) {
    const { table } = cost;
    const same = [tables.get(table) ?? [], cost].flat();
    const otherTables = [...new Set(same.flatMap((one) => one.otherTables ?? []))];
    tables.set(table, { table, ...(otherTables.length > 0 && { otherTables }), ...sumOf(same) });
  }
  return [...tables.values()];
}

/** The bounds that apply, with their costs. Of alternatives, these are the bounds of the one with the most reads. */
export function dearest(bound: Bound, asked: CostArguments): { bound: TableBound; cost: Cost }[] {
  const alternatives = 'oneOf' in bound ? bound.oneOf : [[bound]];
  const [largest = []] = alternatives
    .map((bounds) =>
      bounds.map((tableBound) => ({
        bound: tableBound,
        cost: unlessRefused(() => tableBound.cost(asked), FREE),
      })),
    )
    .sort((a, b) => sumOf(b.map(({ cost }) => cost)).reads - sumOf(a.map(({ cost }) => cost)).reads);
  return largest;
}

/** Evaluates a formula. Returns `otherwise` if the formula throws because the resolver refuses the arguments before it reads. */
export function unlessRefused<T>(formula: () => T, otherwise: T): T {
  try {
    return formula();
  } catch (error) {
    if (error instanceof ClientError) return otherwise;
    throw error;
  }
}
