import type { Span } from './client';
import type { Differences } from './differences';
import type { PersonEdge } from './lists';
import { compareIds } from './model';

/** How much the clocks of processes on one machine may differ. */
const MAX_CLOCK_DIFFERENCE_MS = 50;

/**
 * Checks that a list is sorted newest first, then by id descending, and that each edge has the time when the operation was
 * first done: repeating it must not change the time. `spanOf` gives that time; it gives none for surplus edges.
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
    if (
      span === undefined ||
      (time >= span.from - MAX_CLOCK_DIFFERENCE_MS && time <= span.to + MAX_CLOCK_DIFFERENCE_MS)
    )
      continue;
    const [from, to] = [span.from, span.to].map((edge) => new Date(edge).toISOString());
    differences.same(`${what}, since when ${node.username}`, at, { from, to });
  }
}

function told({ at, node }: PersonEdge): string {
  return `${at} ${node.userId}`;
}
