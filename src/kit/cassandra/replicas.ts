import type { Database } from './database';

/** Bounds the size of one request, so that it does not occupy its coordinator for long. */
const MAX_KEYS_PER_REQUEST = 100;

/**
 * Groups keys into requests that a coordinator can answer cheaply. If one replica is enough for a read, the groups are those
 * of the fewest nodes that hold all keys: one group if each node holds everything. If several replicas must agree, keys are
 * grouped by primary replica, so that the coordinator is one of them. The record "Keys of a batch are grouped by replica"
 * in docs/decisions.md has the measurements.
 */
export function groupByReplica<Key>(
  database: Pick<Database, 'nodes' | 'replicas' | 'readsOneReplica'>,
  keys: readonly Key[],
  routingKey: (key: Key) => Buffer[],
): Key[][] {
  if (database.nodes() <= 1) return chunks(keys);
  const keysByNode = new Map<string, Set<Key>>();
  for (const key of keys) {
    const replicas = database.replicas(routingKey(key));
    for (const node of database.readsOneReplica ? replicas : replicas.slice(0, 1)) {
      const keysOfNode = keysByNode.get(node);
      if (keysOfNode) keysOfNode.add(key);
      else keysByNode.set(node, new Set([key]));
    }
  }
  const groups: Key[][] = [];
  const remaining = new Set(keys);
  while (remaining.size > 0) {
    let largest: Key[] = [];
    for (const keysOfNode of keysByNode.values()) {
      const covered = [...keysOfNode].filter((key) => remaining.has(key));
      if (covered.length > largest.length) largest = covered;
    }
    if (largest.length === 0) largest = [...remaining];
    largest.forEach((key) => remaining.delete(key));
    groups.push(...chunks(largest));
  }
  return groups;
}

function chunks<Key>(keys: readonly Key[]): Key[][] {
  return Array.from({ length: Math.ceil(keys.length / MAX_KEYS_PER_REQUEST) }, (_, n) =>
    keys.slice(n * MAX_KEYS_PER_REQUEST, (n + 1) * MAX_KEYS_PER_REQUEST),
  );
}
