import type { Tab } from '../kit/graphiql/graphiql';

/** A tab that asks something. */
export function tab(query: string, variables: Readonly<Record<string, unknown>>): Tab {
  return { query, variables: JSON.stringify(variables, null, 2) };
}
