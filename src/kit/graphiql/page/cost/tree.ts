import type { FieldCost, Read, Report, TableCost } from './report';

/** What was read, where the query ran, and the bound, where the server told it. */
export interface Amounts {
  partitions: number | undefined;
  rows: number | undefined;
  milliseconds: number | undefined;
  maxPartitions: number | undefined;
  maxRows: number | undefined;
}

/** What a field reads of one table. */
export interface TableNode extends Amounts {
  readonly table: string;
  /** Other paths whose keys were in the same requests: the amounts are those of the whole requests. */
  readonly sharedWith: readonly string[];
}

/** A field of the query, by its path; `total` is its own, without that of the fields below. */
export interface FieldNode {
  readonly path: string;
  readonly name: string;
  /** As the schema names it, where the server told: `User.timeline`. */
  readonly field: string | undefined;
  readonly times: number | undefined;
  readonly tables: readonly TableNode[];
  readonly total: Amounts;
  readonly children: readonly FieldNode[];
}

/** The fields of a query that read, in the order of the query, each below the one that it belongs to. */
export function treeOf({ cost, reads, isDry }: Pick<Report, 'cost' | 'reads' | 'isDry'>): FieldNode[] {
  // By fragments, fields of several types may have one path: of these the dearest counts.
  const costs = new Map<string, FieldCost[]>();
  for (const field of cost?.fields ?? []) append(costs, field.path, field);
  const readsByPath = new Map<string, Read[]>();
  for (const read of reads ?? []) for (const path of read.paths) append(readsByPath, path, read);
  // A dry run has no reads, which is not the same as none.
  const hasRun = !isDry && reads !== undefined;
  const fieldOf = (path: string, below: readonly string[]): FieldNode[] => {
    const some = costs.get(path) ?? [];
    const tables = tablesOf(path, some, hasRun ? (readsByPath.get(path) ?? []) : undefined);
    const children = childrenOf(below, path).flatMap(([child, more]) => fieldOf(child, more));
    if (tables.length === 0 && children.length === 0) return [];
    const name = path.slice(path.lastIndexOf('.') + 1);
    const field = some.length === 0 ? undefined : some.map((one) => one.field).join(', ');
    const total = { ...sumOf(tables), maxPartitions: max(some, 'reads'), maxRows: max(some, 'rows') };
    return [{ path, name, field, times: max(some, 'times'), tables, total, children }];
  };
  return childrenOf([...new Set([...costs.keys(), ...readsByPath.keys()])], '').flatMap(([path, below]) =>
    fieldOf(path, below),
  );
}

/** The paths one step below another, each with those paths that lead on from it. */
function childrenOf(paths: readonly string[], parent: string): [string, string[]][] {
  const start = parent === '' ? 0 : parent.length + 1;
  const children = new Map<string, string[]>();
  for (const path of paths) {
    if (path.length <= start) continue;
    const end = path.indexOf('.', start);
    const child = end === -1 ? path : path.slice(0, end);
    const below = children.get(child) ?? [];
    if (path !== child) below.push(path);
    children.set(child, below);
  }
  return [...children];
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function tablesOf(
  path: string,
  costs: readonly FieldCost[],
  reads: readonly Read[] | undefined,
): TableNode[] {
  const bounds = new Map<string, TableCost[]>();
  for (const bound of costs.flatMap(({ tables }) => tables)) {
    if (bound.reads > 0) append(bounds, bound.table, bound);
  }
  const names = new Set([...bounds.keys(), ...(reads ?? []).map(({ table }) => table)]);
  return [...names].map((table) => {
    const some = reads?.filter((read) => read.table === table);
    const others = (some ?? []).flatMap(({ paths }) => paths).filter((other) => other !== path);
    return {
      table,
      partitions: sum(some?.map(({ partitions }) => partitions)),
      rows: sum(some?.map(({ rows }) => rows)),
      milliseconds: sum(some?.map(({ milliseconds }) => milliseconds)),
      maxPartitions: max(bounds.get(table), 'reads'),
      maxRows: max(bounds.get(table), 'rows'),
      sharedWith: [...new Set(others)],
    };
  });
}

function sumOf(tables: readonly TableNode[]): Pick<Amounts, 'partitions' | 'rows' | 'milliseconds'> {
  const of = (name: 'partitions' | 'rows' | 'milliseconds') => {
    const told = tables.flatMap((table) => table[name] ?? []);
    return told.length === 0 ? undefined : sum(told);
  };
  return { partitions: of('partitions'), rows: of('rows'), milliseconds: of('milliseconds') };
}

function sum(numbers: readonly number[] | undefined): number | undefined {
  return numbers?.reduce((total, number) => total + number, 0);
}

/** The greatest of a property; undefined of nothing. */
function max<K extends string>(of: readonly Readonly<Record<K, number>>[] = [], name: K): number | undefined {
  return of.length === 0 ? undefined : Math.max(...of.map((one) => one[name]));
}
