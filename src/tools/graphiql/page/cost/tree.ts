import type { FieldCost, Read, Report, TableCost } from './report';

/** How much was read, if the query ran, and how much may be read, if the server said so. */
export interface Amounts {
  partitions: number | undefined;
  rows: number | undefined;
  bytes: number | undefined;
  milliseconds: number | undefined;
  maxPartitions: number | undefined;
  maxRows: number | undefined;
  maxBytes: number | undefined;
}

/** How much a field reads of one table. */
export interface TableNode extends Amounts {
  readonly table: string;
  /** Other tables that the bound includes. */
  readonly otherTables: readonly string[];
  /** Other paths whose keys were in the same requests. The amounts are those of the whole requests. */
  readonly sharedWith: readonly string[];
}

/** A field of the query, by its path. `total` is of the field alone, without the fields below it. */
export interface FieldNode {
  readonly path: string;
  readonly name: string;
  /** Its name in the schema, if the server sent it: `User.timeline`. */
  readonly field: string | undefined;
  readonly times: number | undefined;
  readonly tables: readonly TableNode[];
  readonly total: Amounts;
  readonly children: readonly FieldNode[];
}

/** The fields of a query that read, as a tree, in the order of the query. */
export function treeOf({ cost, reads, isDry }: Pick<Report, 'cost' | 'reads' | 'isDry'>): FieldNode[] {
  // With fragments, fields of several types may have the same path: the most expensive one counts.
  const costs = new Map<string, FieldCost[]>();
  for (const field of cost?.fields ?? []) append(costs, field.path, field);
  const readsByPath = new Map<string, Read[]>();
  for (const read of reads ?? []) for (const path of read.paths) append(readsByPath, path, read);
  // The reads of a dry run are unknown, which is not the same as zero.
  const hasRun = !isDry && reads !== undefined;
  const fieldOf = (path: string, below: readonly string[]): FieldNode[] => {
    const fieldCosts = costs.get(path) ?? [];
    const tables = tablesOf(path, fieldCosts, hasRun ? (readsByPath.get(path) ?? []) : undefined);
    const children = childrenOf(below, path).flatMap(([child, more]) => fieldOf(child, more));
    if (tables.length === 0 && children.length === 0) return [];
    const name = path.slice(path.lastIndexOf('.') + 1);
    const field =
      fieldCosts.length === 0 ? undefined : fieldCosts.map((fieldCost) => fieldCost.field).join(', ');
    const total = {
      ...sumOf(tables),
      maxPartitions: max(fieldCosts, 'reads'),
      maxRows: max(fieldCosts, 'rows'),
      maxBytes: max(fieldCosts, 'bytes'),
    };
    return [{ path, name, field, times: max(fieldCosts, 'times'), tables, total, children }];
  };
  return childrenOf([...new Set([...costs.keys(), ...readsByPath.keys()])], '').flatMap(([path, below]) =>
    fieldOf(path, below),
  );
}

/** The paths one step below `parent`, each with the paths below it. */
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
    const ownReads = reads?.filter((read) => read.table === table);
    const others = (ownReads ?? []).flatMap(({ paths }) => paths).filter((other) => other !== path);
    return {
      table,
      otherTables: [...new Set(bounds.get(table)?.flatMap(({ otherTables = [] }) => otherTables))],
      partitions: sum(ownReads?.map(({ partitions }) => partitions)),
      rows: sum(ownReads?.map(({ rows }) => rows)),
      bytes: sum(ownReads?.map(({ bytes }) => bytes)),
      milliseconds: sum(ownReads?.map(({ milliseconds }) => milliseconds)),
      maxPartitions: max(bounds.get(table), 'reads'),
      maxRows: max(bounds.get(table), 'rows'),
      maxBytes: max(bounds.get(table), 'bytes'),
      sharedWith: [...new Set(others)],
    };
  });
}

/** The amounts that are measured. */
type Measured = 'partitions' | 'rows' | 'bytes' | 'milliseconds';

function sumOf(tables: readonly TableNode[]): Pick<Amounts, Measured> {
  const of = (name: Measured) => {
    const known = tables.flatMap((table) => table[name] ?? []);
    return known.length === 0 ? undefined : sum(known);
  };
  return {
    partitions: of('partitions'),
    rows: of('rows'),
    bytes: of('bytes'),
    milliseconds: of('milliseconds'),
  };
}

function sum(numbers: readonly number[] | undefined): number | undefined {
  return numbers?.reduce((total, number) => total + number, 0);
}

/** The greatest value of a property; undefined for an empty list. */
function max<K extends string>(of: readonly Readonly<Record<K, number>>[] = [], name: K): number | undefined {
  return of.length === 0 ? undefined : Math.max(...of.map((one) => one[name]));
}
