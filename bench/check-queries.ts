import { bodyOf, type Query } from './queries';
import type { Headers } from './stage';

interface Answer {
  readonly data?: { readonly node: Readonly<Record<string, { readonly nodes: readonly unknown[] }>> };
  readonly extensions?: { readonly explain?: readonly unknown[] };
}

/** Both answer with the same tweets, so that the same work is compared. */
export async function checkSame(
  query: Query,
  userId: string,
  ports: { readonly ours: number; readonly raw: number },
  headers: Headers,
): Promise<void> {
  const ours = nodesIn(await ask(query, userId, ports.ours, headers));
  const raw = await fetch(`http://127.0.0.1:${ports.raw}/${query.name}/${userId}`);
  const { nodes } = (await raw.json()) as { nodes: unknown[] };
  if (nodes.length !== 25 || JSON.stringify(ours) !== JSON.stringify(nodes)) {
    throw new Error(
      `${query.name} must have the same 25 tweets from both, but got: ${JSON.stringify(ours[0])} and ${JSON.stringify(nodes[0])}`,
    );
  }
}

/** How many requests to Cassandra a query takes, by a server that explains. */
export async function countReads(
  query: Query,
  userId: string,
  port: number,
  headers: Headers,
): Promise<number> {
  const answer = await ask(query, userId, port, { ...headers, 'x-explain': 'true' });
  const found = nodesIn(answer).length;
  if (found !== 25) throw new Error(`${query.name} must answer with 25 tweets, but got: ${found}`);
  return answer.extensions?.explain?.length ?? NaN;
}

function nodesIn({ data }: Answer): readonly unknown[] {
  return Object.values(data?.node ?? {})[0]?.nodes ?? [];
}

async function ask(query: Query, userId: string, port: number, headers: Headers): Promise<Answer> {
  const request = { method: 'POST', headers, body: bodyOf(query, userId) };
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, request);
  return (await response.json()) as Answer;
}
