/** A tab that opens on the first visit: a query, and its variables as JSON. */
export interface Tab {
  readonly query: string;
  readonly variables: string;
}

/**
 * Creates a tab from a query and its variables.
 *
 * @example
 * ```ts
 * const first = tab('query Rooms($id: ID!) { hotel(id: $id) { name } }', { id: '1' });
 * ```
 */
export function tab(query: string, variables: Readonly<Record<string, unknown>>): Tab {
  return { query, variables: JSON.stringify(variables, null, 2) };
}
