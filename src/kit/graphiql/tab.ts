/** A tab that opens on the first visit: one question to the API, with the variables that answer it, as JSON. */
export interface Tab {
  readonly query: string;
  readonly variables: string;
}

/** Makes a tab of a question and the variables that answer it. */
export function tab(query: string, variables: Readonly<Record<string, unknown>>): Tab {
  return { query, variables: JSON.stringify(variables, null, 2) };
}
