/** How far this machine's clock may be from Cassandra's, in milliseconds. */
const MAX_DIFFERENCE_MS = 5000;

/** The clock of a node: how far it is ahead of `performance.now()`, and by how much that may be wrong, in milliseconds. */
export interface NodeClock {
  readonly offsetMs: number;
  readonly uncertainMs: number;
}

/** Whether a machine may write, and what is known of the clocks. */
export interface ClockVerdict {
  readonly isRight: boolean;
  /** By how much this machine's clock is ahead of the middle one of the nodes; below 0 if it is behind. */
  readonly aheadMs: number;
  /** The nodes whose clocks differ too much from this machine's. */
  readonly wrongNodes: readonly string[];
}

/**
 * Compares this machine's clock, which is `offsetMs` ahead of `performance.now()`, with those of the nodes. It is right if it differs
 * little from more than half of them: when there are enough nodes, a single one with a wrong clock stops no server.
 */
export function verdictOn(nodes: ReadonlyMap<string, NodeClock>, offsetMs: number): ClockVerdict {
  const wrongNodes: string[] = [];
  const ahead: number[] = [];
  for (const [name, node] of nodes) {
    const aheadMs = offsetMs - node.offsetMs;
    ahead.push(aheadMs);
    if (Math.abs(aheadMs) - node.uncertainMs > MAX_DIFFERENCE_MS) wrongNodes.push(name);
  }
  const sorted = ahead.sort((one, other) => one - other);
  return {
    isRight: 2 * wrongNodes.length < nodes.size,
    aheadMs: sorted[sorted.length >> 1] ?? 0,
    wrongNodes,
  };
}

/** Says by how much this machine's clock is wrong. */
export function describeDifference(aheadMs: number): string {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  return `The clock of this machine is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} Cassandra's, but must be within ${MAX_DIFFERENCE_MS / 1000} s of it, so nothing is written.`;
}
