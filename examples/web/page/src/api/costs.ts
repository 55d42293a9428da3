import { ApolloLink } from '@apollo/client';
import { useSyncExternalStore } from 'react';
import { finalize, map } from 'rxjs';

/** What one operation has read of one table. */
export interface TableRead {
  readonly table: string;
  readonly requests: number;
  readonly partitions: number;
  readonly rows: number;
}

/** What an operation has read the last time it ran, of what it may read. */
export interface OperationCost {
  readonly operation: string;
  /** Partitions that it may read at most. */
  readonly bound: number;
  readonly tables: readonly TableRead[];
}

interface Explained {
  readonly cost?: { readonly bound: number };
  readonly explain?: readonly {
    readonly table: string;
    readonly partitions: number;
    readonly rows: number;
    readonly cached?: boolean;
  }[];
}

/** Collects what operations have read, while somebody looks at it. */
export class Costs {
  #isShown = false;
  #costs: readonly OperationCost[] = [];
  readonly #listeners = new Set<() => void>();
  /** Is called when an operation has not told what it read. */
  onMissed: () => void = () => undefined;

  /** Asks for the reads of each operation while they are shown, and notes them. */
  readonly link = new ApolloLink((operation, forward) => {
    if (!this.#isShown)
      return forward(operation).pipe(
        // It was on its way when the panel was opened, so nobody asked it what it read.
        finalize(() => {
          if (this.#isShown) setTimeout(() => this.onMissed());
        }),
      );
    operation.setContext(({ headers = {} }: { headers?: Record<string, string> }) => ({
      headers: { ...headers, 'x-explain': 'true' },
    }));
    return forward(operation).pipe(
      map((result) => {
        this.#note(operation.operationName ?? 'Unnamed', result.extensions as Explained | undefined);
        return result;
      }),
    );
  });

  show(isShown: boolean): void {
    this.#isShown = isShown;
    this.#set([]);
  }

  /** Forgets what earlier screens have read. */
  clear(): void {
    this.#set([]);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly current = (): readonly OperationCost[] => this.#costs;

  #note(operation: string, explained: Explained | undefined): void {
    if (explained?.explain === undefined) return;
    const tables = new Map<string, TableRead>();
    for (const { table, partitions, rows, cached } of explained.explain) {
      if (cached) continue;
      const before = tables.get(table) ?? { table, requests: 0, partitions: 0, rows: 0 };
      tables.set(table, {
        table,
        requests: before.requests + 1,
        partitions: before.partitions + partitions,
        rows: before.rows + rows,
      });
    }
    const cost = { operation, bound: explained.cost?.bound ?? 0, tables: [...tables.values()] };
    this.#set([cost, ...this.#costs.filter((other) => other.operation !== operation)]);
  }

  #set(costs: readonly OperationCost[]): void {
    this.#costs = costs;
    for (const listener of this.#listeners) listener();
  }
}

export function useCosts(costs: Costs): readonly OperationCost[] {
  return useSyncExternalStore(costs.subscribe, costs.current);
}
