import { useSyncExternalStore } from 'react';
import type { StorageAPI } from '@graphiql/toolkit';
import type { Report } from './report';

/** What the panel shows. */
export interface CostState {
  /** Whether each query is sent with the wish to be explained. */
  readonly isOn: boolean;
  /** Of the last query that was run, dry or not. */
  readonly report: Report | undefined;
}

/** Keeps the state outside of the panel, which GraphiQL takes down whenever it is hidden. */
export interface CostStore {
  readonly state: () => CostState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly turn: (isOn: boolean) => void;
  readonly show: (report: Report) => void;
}

const SWITCH = 'cost:explain';

/** Starts with what the visitor chose last; at first, queries are explained. */
export function createCostStore(storage: Pick<StorageAPI, 'get' | 'set'>): CostStore {
  let state: CostState = { isOn: storage.get(SWITCH) !== 'false', report: undefined };
  const listeners = new Set<() => void>();
  const change = (some: Partial<CostState>) => {
    state = { ...state, ...some };
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    turn(isOn) {
      storage.set(SWITCH, String(isOn));
      change({ isOn });
    },
    show(report) {
      change({ report });
    },
  };
}

/** The state, for components: they follow its changes. */
export function useCosts(store: CostStore): CostState {
  return useSyncExternalStore(store.subscribe, store.state);
}
