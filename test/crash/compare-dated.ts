import type { Span } from './client';
import type { Differences } from './differences';
import type { PersonEdge } from './lists';
import { compareIds } from './model';

/** How far the clocks of processes on one machine may differ, in milliseconds. */
const SLACK = 50;

/**
 * Checks that a list stands newest first, then by id descending, and that each act is of the time when it was done
 * first: doing it again changes nothing. `spanOf` tells that time; what is surplus in the list has none.
 */
export function compareDated(
  differences: Differences,
  what: string,
  edges: readonly PersonEdge[],
  spanOf: (username: string) => Span | undefined,
): void {
  const sorted = [...edges].sort(
    (a, b) => Date.parse(b.at) - Date.parse(a.at) || compareIds(b.node.userId, a.node.userId),
  );
  differences.same(`${what}, newest first`, edges.map(told), sorted.map(told));
  for (const { at, node } of edges) {
    const span = spanOf(node.username);
    const time = Date.parse(at);
    if (span === undefined || (time >= span.from - SLACK && time <= span.to + SLACK)) continue;
    const [from, to] = [span.from, span.to].map((edge) => new Date(edge).toISOString());
    differences.same(`${what}, since when ${node.username}`, at, { from, to });
  }
}

function told({ at, node }: PersonEdge): string {
  return `${at} ${node.userId}`;
}
