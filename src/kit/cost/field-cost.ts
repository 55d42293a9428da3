import type { GraphQLField } from 'graphql';
import { ClientError } from '../base/errors';
import { FREE, FREE_SIZED, sizedSumOf, type Cost, type SizedCost } from './cost';
import { declarationOf, type CostArguments, type Bound, type TableBound } from './reads';

/** How much a field reads of one table at most, or of several tables together. */
export type TableCost = SizedCost & Pick<TableBound, 'table' | 'otherTables'>;

/** How much a field reads at most. */
interface FieldReads {
  readonly tables: readonly TableCost[];
  /** The sum of the tables, without what is read once per request. */
  readonly repeated: SizedCost;
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
  once(this: void): SizedCost;
  /** From here on, the request reads again what it has read once: a mutation forgets what was read before it. */
  forget(this: void): void;
}

/** Creates the counter of a query's reads. */
export function createFieldReads(): QueryReads {
  const ofRequest = new Map<string, SizedCost>();
  let forgotten = FREE_SIZED;
  const once = () => sizedSumOf([forgotten, ...ofRequest.values()]);
  return {
    once,
    forget() {
      forgotten = once();
      ofRequest.clear();
    },
    ofObject(count) {
      const ofObject = new Map<string, SizedCost>();
      const counted = ({ table, otherTables, scope }: TableBound, cost: SizedCost): TableCost => {
        const named = { table, ...(otherTables && { otherTables }) };
        if (scope === undefined) return { ...named, ...timesSized(cost, count) };
        const known = scope === 'object' ? ofObject : ofRequest;
        const before = known.get(table) ?? FREE_SIZED;
        const more = {
          reads: Math.max(0, cost.reads - before.reads),
          rows: Math.max(0, cost.rows - before.rows),
          bytes: Math.max(0, cost.bytes - before.bytes),
        };
        known.set(table, sizedSumOf([before, more]));
        return { ...named, ...timesSized(more, scope === 'object' ? count : 1) };
      };
      const readsOf = (bounds: readonly { bound: TableBound; cost: SizedCost }[]): FieldReads => {
        const all = bounds.map(({ bound, cost }) => ({ scope: bound.scope, table: counted(bound, cost) }));
        const repeated = all.filter(({ scope }) => scope !== 'request');
        return {
          tables: byTable(all.map(({ table }) => table).filter(({ reads }) => reads > 0)),
          repeated: sizedSumOf(repeated.map(({ table }) => table)),
        };
      };
      return {
        cost: (field, asked) =>
          readsOf((declarationOf(field).reads ?? []).flatMap((bound) => dearest(bound, asked))),
        oppositePageCost: (bounds, asked) =>
          readsOf(
            bounds.flatMap((bound) => {
              const { oppositePageCost } = bound;
              if (oppositePageCost === undefined) return [];
              const cost = unlessRefused(() => oppositePageCost(asked), FREE);
              // Such a page shows nothing: it looks for one row.
              return { bound, cost: { ...cost, bytes: boundBytes(bound, { ...asked, limit: 0 }) } };
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
    tables.set(table, { table, ...(otherTables.length > 0 && { otherTables }), ...sizedSumOf(same) });
  }
  return [...tables.values()];
}

/**
 * The bounds that apply, with their costs. Of alternatives, these are the bounds of the one with the most reads, but with the bytes of
 * the one that has most.
 */
export function dearest(bound: Bound, asked: CostArguments): { bound: TableBound; cost: SizedCost }[] {
  const alternatives = 'oneOf' in bound ? bound.oneOf : [[bound]];
  const costs = alternatives
    .map((bounds) =>
      bounds.map((tableBound) => ({
        bound: tableBound,
        cost: {
          ...unlessRefused((): Cost => tableBound.cost(asked), FREE),
          bytes: boundBytes(tableBound, asked),
        },
      })),
    )
    .map((bounds) => ({ bounds, total: sizedSumOf(bounds.map(({ cost }) => cost)) }))
    .sort((a, b) => b.total.reads - a.total.reads);
  const [largest] = costs;
  const missing = Math.max(0, ...costs.map(({ total }) => total.bytes)) - (largest?.total.bytes ?? 0);
  return (largest?.bounds ?? []).map(({ bound, cost }, index) => ({
    bound,
    cost: index === 0 ? { ...cost, bytes: cost.bytes + missing } : cost,
  }));
}

function boundBytes({ bytes }: TableBound, asked: CostArguments): number {
  return bytes ? unlessRefused(() => bytes(asked), 0) : 0;
}

function timesSized({ reads, rows, bytes }: SizedCost, count: number): SizedCost {
  return { reads: reads * count, rows: rows * count, bytes: bytes * count };
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
