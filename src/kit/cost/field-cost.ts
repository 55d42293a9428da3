import type { GraphQLField } from 'graphql';
import { ClientError } from '../base/errors';
import { FREE, FREE_SIZED, greatestOf, sizedSumOf, type Cost, type SizedCost } from './cost';
import { declarationOf, type CostArguments, type Bound, type TableBound } from './reads';

/** How much a field reads of one table at most, or of several tables together. */
export type TableCost = SizedCost & Pick<TableBound, 'table' | 'otherTables'>;

/** A bound of a field, and what it costs with the field's arguments. */
export interface BoundCost {
  readonly bound: TableBound;
  readonly cost: SizedCost;
}

const NO_READS: readonly BoundCost[] = [];

/** Computes how much a field reads for one object at most. */
export function boundCostsOf(
  field: GraphQLField<unknown, unknown>,
  asked: CostArguments,
): readonly BoundCost[] {
  const { reads } = declarationOf(field);
  return reads === undefined ? NO_READS : reads.flatMap((bound) => dearest(bound, asked));
}

/** Computes how much `pageInfo` reads to find out whether there are items on the other side of the cursor that the page starts from. */
export function oppositePageCosts(bounds: readonly TableBound[], asked: CostArguments): readonly BoundCost[] {
  return bounds.flatMap((bound) => {
    const { oppositePageCost } = bound;
    if (oppositePageCost === undefined) return [];
    const cost = unlessRefused(() => oppositePageCost(asked), FREE);
    // The check shows no items: it looks for one row.
    return { bound, cost: { ...cost, bytes: boundBytes(bound, { ...asked, limit: 0 }) } };
  });
}

/** The greatest cost of each table among the fields, of an object or a request, that share one read of it. */
export type SharedCosts = Map<string, SizedCost>;

/** Adds a read that several fields share, of which only the dearest counts. */
export function share(shared: SharedCosts, table: string, cost: SizedCost): void {
  const before = shared.get(table);
  if (before === undefined) shared.set(table, cost);
  else if (cost.reads > before.reads || cost.rows > before.rows || cost.bytes > before.bytes)
    shared.set(table, greatestOf(before, cost));
}

/** The reads of a field for so many objects, by table, without what other fields of the object or the request have read before it. */
export function tableCosts(
  costs: readonly BoundCost[],
  count: number,
  ofObject: SharedCosts,
  ofRequest: SharedCosts,
): readonly TableCost[] {
  const tables = costs.map(({ bound: { table, otherTables, scope }, cost }): TableCost => {
    const named = { table, ...(otherTables && { otherTables }) };
    if (scope === undefined) return { ...named, ...timesSized(cost, count) };
    const shared = scope === 'object' ? ofObject : ofRequest;
    const { reads, rows, bytes } = shared.get(table) ?? FREE_SIZED;
    share(shared, table, cost);
    const most = shared.get(table) ?? cost;
    const more = { reads: most.reads - reads, rows: most.rows - rows, bytes: most.bytes - bytes };
    return { ...named, ...timesSized(more, scope === 'object' ? count : 1) };
  });
  return byTable(tables.filter(({ reads }) => reads > 0));
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
 * Returns the bounds that apply, with their costs. If there are alternatives, these are the bounds of the one with the most reads, but with
 * the bytes of the one that has most.
 */
export function dearest(bound: Bound, asked: CostArguments): readonly BoundCost[] {
  if (!('oneOf' in bound)) return [boundCost(bound, asked)];
  const costs = bound.oneOf
    .map((bounds) => bounds.map((tableBound) => boundCost(tableBound, asked)))
    .map((bounds) => ({ bounds, total: sizedSumOf(bounds.map(({ cost }) => cost)) }))
    .sort((a, b) => b.total.reads - a.total.reads);
  const [largest] = costs;
  const missing = Math.max(0, ...costs.map(({ total }) => total.bytes)) - (largest?.total.bytes ?? 0);
  return (largest?.bounds ?? []).map((one, index) =>
    index === 0 ? { ...one, cost: { ...one.cost, bytes: one.cost.bytes + missing } } : one,
  );
}

function boundCost(bound: TableBound, asked: CostArguments): BoundCost {
  const { reads, rows } = unlessRefused((): Cost => bound.cost(asked), FREE);
  return { bound, cost: { reads, rows, bytes: boundBytes(bound, asked) } };
}

function boundBytes({ bytes }: TableBound, asked: CostArguments): number {
  return unlessRefused(() => bytes(asked), 0);
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
