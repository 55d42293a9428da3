import type { ExecutionResult } from 'graphql';

/** One request to the database: see `Read` in src/kit/data/load.ts. */
export interface Read {
  readonly table: string;
  readonly partitions: number;
  readonly rows: number;
  readonly milliseconds: number;
  /** Where in the query it was asked for, as `user.timeline.nodes.author`: several where fields share the request. */
  readonly paths: readonly string[];
}

/** The bound of one field in one table. */
export interface TableCost {
  readonly table: string;
  /** Partitions. */
  readonly reads: number;
  readonly rows: number;
}

/** The bound of one field, `times` included. */
export interface FieldCost {
  readonly path: string;
  /** As the schema names it: `User.timeline`. */
  readonly field: string;
  /** How often it may be resolved at most. */
  readonly times: number;
  /** Partitions. */
  readonly reads: number;
  readonly rows: number;
  readonly tables: readonly TableCost[];
}

/** `extensions.cost`: the bound of a query, what the server allows and, where the query ran, what it took. */
export interface Cost {
  /** Partitions. */
  readonly bound: number;
  readonly boundOfRows: number;
  readonly limit: number;
  readonly limitOfRows: number;
  /** Partitions; absent after a dry run, as are rows and milliseconds. */
  readonly reads?: number;
  readonly rows?: number;
  readonly milliseconds?: number;
  readonly fields: readonly FieldCost[];
}

/** What the panel shows of one answer. */
export interface Report {
  /** The operation's name, where it has one. */
  readonly name: string | undefined;
  readonly query: string;
  /** A dry run reads nothing. */
  readonly isDry: boolean;
  readonly cost: Cost | undefined;
  /** Undefined where the server does not list its reads. */
  readonly reads: readonly Read[] | undefined;
  /** Why there is nothing to show: all errors of a dry run; of a run those that refuse its cost, since the response shows the rest. */
  readonly errors: readonly string[];
  readonly hasData: boolean;
}

/** The question that a report belongs to. */
export type Asked = Pick<Report, 'name' | 'query' | 'isDry'>;

/** Takes out of an answer what the panel shows. */
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

/** What the panel shows where a question could not be sent, or where nothing answered. */
export function failureOf(asked: Asked, error: unknown): Report {
  const message = error instanceof Error ? error.message : String(error);
  return { ...asked, cost: undefined, reads: undefined, errors: [message], hasData: false };
}

/** Whether the server told anything about the cost of a query. */
export function isExplained({ cost, reads }: Report): boolean {
  return cost !== undefined || reads !== undefined;
}

/** An answer as it would be, had the panel not asked for its cost. */
export function withoutCost(result: ExecutionResult): ExecutionResult {
  const { extensions, ...rest } = result;
  if (extensions === undefined) return result;
  const { cost: _cost, explain: _explain, ...others } = extensions;
  return Object.keys(others).length === 0 ? rest : { ...rest, extensions: others };
}

function isCost(value: unknown): value is Cost {
  return typeof value === 'object' && value !== null && 'bound' in value && 'fields' in value;
}

function isReads(value: unknown): value is readonly Read[] {
  return Array.isArray(value);
}
