import { bodyOf, type Query } from './queries';
import type { Headers } from './stage';

interface Answer {
  readonly data?: unknown;
  readonly extensions?: { readonly explain?: readonly unknown[] };
}

/** Checks that both servers answer with the same rows, so that the same work is compared. Throws if they do not. */
export async function checkSame(
  query: Query,
  id: string,
  ports: { readonly ours: number; readonly raw: number },
  headers: Headers,
): Promise<void> {
  const ours = nodesIn((await ask(query, id, ports.ours, headers)).data);
  const raw = await fetch(`http://127.0.0.1:${ports.raw}/${query.name}/${id}`);
  const { nodes } = (await raw.json()) as { nodes: unknown[] };
  if (nodes.length !== query.rows || JSON.stringify(ours) !== JSON.stringify(nodes)) {
    throw new Error(
      `${query.name} must have the same ${query.rows} rows from both, but got: ${JSON.stringify(ours[0])} and ${JSON.stringify(nodes[0])}`,
    );
  }
}

/** Counts the requests to Cassandra of a query, by asking a server that explains. */
export async function countReads(query: Query, id: string, port: number, headers: Headers): Promise<number> {
  const answer = await ask(query, id, port, { ...headers, 'x-explain': 'true' });
  const found = nodesIn(answer.data).length;
  if (found !== query.rows)
    throw new Error(`${query.name} must answer with ${query.rows} rows, but got: ${found}`);
  return answer.extensions?.explain?.length ?? NaN;
}

/** The nodes of the list in an answer; none if it has no list. */
function nodesIn(data: unknown): readonly unknown[] {
  if (typeof data !== 'object' || data === null) return [];
  return 'nodes' in data && Array.isArray(data.nodes) ? data.nodes : Object.values(data).flatMap(nodesIn);
}

async function ask(query: Query, id: string, port: number, headers: Headers): Promise<Answer> {
  const request = { method: 'POST', headers, body: bodyOf(query, id) };
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, request);
  return (await response.json()) as Answer;
}
