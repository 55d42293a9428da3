import { useSyncExternalStore } from 'react';
import type { StorageAPI } from '@graphiql/toolkit';
import type { Report } from './report';

/** The state of the panel. */
interface CostState {
  /** Whether queries are sent with a request to explain them. */
  readonly isOn: boolean;
  /** The report of the last query that was run, or of the last dry run. */
  readonly report: Report | undefined;
}

/** Keeps the state outside of the panel, because GraphiQL unmounts the panel whenever it is hidden. */
export interface CostStore {
  readonly state: () => CostState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly setOn: (isOn: boolean) => void;
  readonly show: (report: Report) => void;
}

const SWITCH = 'cost:explain';

/** Creates the store. It starts with what the visitor chose last; on the first visit, queries are explained. */
export function createCostStore(storage: Pick<StorageAPI, 'get' | 'set'>): CostStore {
  let state: CostState = { isOn: storage.get(SWITCH) !== 'false', report: undefined };
  const listeners = new Set<() => void>();
  const change = (changes: Partial<CostState>) => {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setOn(isOn) {
      storage.set(SWITCH, String(isOn));
      change({ isOn });
    },
    show(report) {
      change({ report });
    },
  };
}

/** The state, as a hook: components that use it follow its changes. */
export function useCosts(store: CostStore): CostState {
  return useSyncExternalStore(store.subscribe, store.state);
}
