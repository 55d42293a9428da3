import { randomFrom } from '../../src/kit/base/random';
import type { FieldCost } from '../../src/kit/cost/query-cost';
import type { Read } from '../../src/kit/reads/load';
import type { Headers } from '../stage';
import type { Subject } from '../pages/subjects';
import type { Probe } from './probes';

/** What a field may read, and what it has read for one answer. */
export interface Asked {
  /** Without what the field has reserved while it was read. */
  readonly bound: number;
  readonly boundOfRows: number;
  /** How many partitions the field has reserved. */
  readonly reserved: number;
  readonly partitions: number;
  readonly rows: number;
  /** Requests to Cassandra. */
  readonly statements: number;
}

/** The answers to a probe: `refused` of them were `QUERY_TOO_LARGE`. */
interface Answers {
  readonly first: readonly Asked[];
  /** The answers for second pages. */
  readonly next: readonly Asked[];
  readonly refused: number;
}

interface Response {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: {
    readonly explain?: readonly Read[];
    readonly cost?: { readonly fields: readonly FieldCost[] };
  };
}

/** Asks about each subject, and for the second page of each list that has one. */
export async function askAll(
  url: string,
  probe: Probe,
  subjects: readonly Subject[],
  headersOf: (subject: Subject, n: number) => Headers,
): Promise<Answers> {
  const random = randomFrom(5);
  const [first, next]: [Asked[], Asked[]] = [[], []];
  let refused = 0;
  for (const [n, subject] of subjects.entries()) {
    const variables = probe.variables(subject, random);
    const headers = headersOf(subject, n);
    const page = await ask(url, probe, headers, variables);
    if (page === null) refused++;
    else if (page.asked !== null) first.push(page.asked);
    if (page?.endCursor == null) continue;
    const second = await ask(url, probe, headers, { ...variables, after: page.endCursor });
    if (second === null) refused++;
    else if (second.asked !== null) next.push(second.asked);
  }
  return { first, next, refused };
}

/** Asks once; null if that is `QUERY_TOO_LARGE`. `asked` is null if nothing had the field. */
async function ask(
  url: string,
  { field, source }: Probe,
  headers: Headers,
  variables: Readonly<Record<string, unknown>>,
): Promise<{ readonly asked: Asked | null; readonly endCursor: string | null } | null> {
  const request = {
    method: 'POST',
    headers: { ...headers, 'x-explain': 'true' },
    body: JSON.stringify({ query: source, variables }),
  };
  const { data, errors, extensions } = (await (await fetch(url, request)).json()) as Response;
  if (errors?.some((error) => error.extensions?.code === 'QUERY_TOO_LARGE')) return null;
  if (errors !== undefined || !extensions?.explain || !extensions.cost)
    throw new Error(`${field} must be answered, but got: ${JSON.stringify({ variables, errors })}`);
  const bounds = extensions.cost.fields.filter((one) => one.field === field);
  const reads = extensions.explain.filter(({ fields }) => fields.includes(field));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    asked:
      bounds.length === 0
        ? null
        : {
            bound: sum(bounds.map((bound) => bound.reads - (bound.reserved?.reads ?? 0))),
            boundOfRows: sum(bounds.map((bound) => bound.rows - (bound.reserved?.rows ?? 0))),
            reserved: sum(bounds.map((bound) => bound.reserved?.reads ?? 0)),
            partitions: sum(reads.map(({ partitions }) => partitions)),
            rows: sum(reads.map(({ rows }) => rows)),
            statements: reads.length,
          },
    endCursor: endCursorIn(data),
  };
}

/** The cursor from which the list named `of` goes on; null if it has no more. */
function endCursorIn(data: unknown): string | null {
  const [above] = Object.values(Object(data) as Readonly<Record<string, unknown>>);
  const { of = above } = Object(above) as { readonly of?: unknown };
  const { pageInfo } = Object(of) as {
    readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
  return pageInfo?.hasNextPage === true ? pageInfo.endCursor : null;
}
