import type { Headers } from '../stage';
import type { Shown } from './floor';
import type { PageQuestion } from './questions';
import type { Subject } from './subjects';

/** A page and what it took. */
export interface Explained {
  readonly page: readonly Shown[];
  /** Requests to Cassandra. */
  readonly statements: number;
  readonly partitions: number;
  /** The rows that Cassandra sent. */
  readonly rows: number;
}

interface Answer {
  readonly data?: Readonly<Record<string, (List & { readonly list?: List | null }) | null>> | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: {
    readonly explain?: readonly { readonly cached?: boolean }[];
    readonly cost?: { readonly reads: number; readonly rows: number };
  };
}

interface List {
  readonly nodes?: readonly Shown[];
  readonly edges?: readonly Shown[];
}

/** Asks for a page on a server that explains; null if its work is above the bound of the field (`QUERY_TOO_LARGE`). */
export async function explainPage(
  port: number,
  headers: Headers,
  { name, source }: PageQuestion,
  { variable }: Subject,
): Promise<Explained | null> {
  const request = {
    method: 'POST',
    headers: { ...headers, 'x-explain': 'true' },
    body: JSON.stringify({ query: source, variables: { of: variable } }),
  };
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, request);
  const { data, errors, extensions } = (await response.json()) as Answer;
  if (errors?.some((error) => error.extensions?.code === 'QUERY_TOO_LARGE')) return null;
  // A list over everybody is no field of another object.
  const first = data && Object.values(data)[0];
  const list = first && 'list' in first ? first.list : first;
  if (errors || !list || !extensions?.explain || !extensions.cost)
    throw new Error(`${name} of ${variable} must be answered, but got: ${JSON.stringify({ data, errors })}`);
  return {
    page: list.nodes ?? list.edges ?? [],
    // An item with `cached` is no request.
    statements: extensions.explain.filter(({ cached }) => cached !== true).length,
    partitions: extensions.cost.reads,
    rows: extensions.cost.rows,
  };
}
