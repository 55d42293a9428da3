import type { ExecutionResult } from 'graphql';

/** One request to the database; see `Read` in src/kit/reads/load.ts. */
export interface Read {
  readonly table: string;
  readonly partitions: number;
  readonly rows: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** The paths of the fields that asked for it, as `user.timeline.nodes.author`; several if fields share the request. */
  readonly paths: readonly string[];
}

/** How much a field reads of one table at most, or of several tables together. */
export interface TableCost {
  readonly table: string;
  readonly otherTables?: readonly string[];
  /** Partitions. */
  readonly reads: number;
  readonly rows: number;
  readonly bytes: number;
}

/** How much a field reads at most, all `times` together. */
export interface FieldCost {
  readonly path: string;
  /** Its name in the schema: `User.timeline`. */
  readonly field: string;
  /** How often it is resolved at most. */
  readonly times: number;
  /** Partitions. */
  readonly reads: number;
  readonly rows: number;
  readonly bytes: number;
  readonly tables: readonly TableCost[];
}

/** `extensions.cost`: how much a query may read, how much the server allows and, if the query ran, how much it read. */
export interface Cost {
  /** Partitions. */
  readonly bound: number;
  readonly boundOfRows: number;
  /** The bytes of the rows. */
  readonly boundOfBytes: number;
  readonly limit: number;
  readonly limitOfRows: number;
  readonly limitOfBytes: number;
  /** Partitions; absent after a dry run, as are rows and milliseconds. */
  readonly reads?: number;
  readonly rows?: number;
  readonly bytes?: number;
  readonly milliseconds?: number;
  readonly fields: readonly FieldCost[];
}

/** The panel's report of one answer. */
export interface Report {
  /** The operation's name, if it has one. */
  readonly name: string | undefined;
  readonly query: string;
  /** A dry run reads nothing. */
  readonly isDry: boolean;
  readonly cost: Cost | undefined;
  /** Undefined if the server does not list its reads. */
  readonly reads: readonly Read[] | undefined;
  /** Why there is nothing to show: all errors of a dry run, but only those about the cost of a run: the response shows the rest. */
  readonly errors: readonly string[];
  readonly hasData: boolean;
}

/** The request that a report is about. */
export type Asked = Pick<Report, 'name' | 'query' | 'isDry'>;

/** Extracts from an answer what the panel shows. */
export function reportOf(asked: Asked, { data, errors = [], extensions = {} }: ExecutionResult): Report {
  const { cost, explain } = extensions;
  return {
    ...asked,
    cost: isCost(cost) ? cost : undefined,
    reads: isReads(explain) ? explain : undefined,
    errors: errors
      .filter((error) => asked.isDry || error.extensions?.['code'] === 'QUERY_TOO_LARGE')
      .map(({ message }) => message),
    hasData: data != null,
  };
}

/** The panel's report of a request that could not be sent, or was not answered. */
export function failureOf(asked: Asked, error: unknown): Report {
  const message = error instanceof Error ? error.message : String(error);
  return { ...asked, cost: undefined, reads: undefined, errors: [message], hasData: false };
}

/** Whether the server sent anything about the cost of a query. */
export function isExplained({ cost, reads }: Report): boolean {
  return cost !== undefined || reads !== undefined;
}

/** The answer as it would be if the panel had not asked for its cost. */
export function withoutCost(result: ExecutionResult): ExecutionResult {
  const { extensions, ...rest } = result;
  if (extensions === undefined) return result;
  const { cost: _cost, explain: _explain, explainRefused: _refused, ...others } = extensions;
  return Object.keys(others).length === 0 ? rest : { ...rest, extensions: others };
}

function isCost(value: unknown): value is Cost {
  return typeof value === 'object' && value !== null && 'bound' in value && 'fields' in value;
}

function isReads(value: unknown): value is readonly Read[] {
  return Array.isArray(value);
}
