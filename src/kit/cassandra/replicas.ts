import type { Database } from './database';

/** The most keys of one request, so that no coordinator is held up by one. */
const MAX_KEYS_PER_REQUEST = 100;

/**
 * Splits keys into requests that a coordinator can answer best. Where one replica answers a read, that is by as few
 * nodes as hold all keys: one, when each holds everything. Where several must agree, it is by primary replica, so
 * that the coordinator is one of them (measured: ../../../docs/decisions.md).
 */
export function groupByReplica<Key>(
  database: Pick<Database, 'nodes' | 'replicas' | 'readsOneReplica'>,
  keys: readonly Key[],
  routingKey: (key: Key) => Buffer[],
): Key[][] {
  if (database.nodes() <= 1) return chunks(keys);
  const holders = new Map<string, Set<Key>>();
  for (const key of keys) {
    const replicas = database.replicas(routingKey(key));
    for (const node of database.readsOneReplica ? replicas : replicas.slice(0, 1)) {
      const held = holders.get(node);
      if (held) held.add(key);
      else holders.set(node, new Set([key]));
    }
  }
  const groups: Key[][] = [];
  const left = new Set(keys);
  while (left.size > 0) {
    let most: Key[] = [];
    for (const held of holders.values()) {
      const covered = [...held].filter((key) => left.has(key));
      if (covered.length > most.length) most = covered;
    }
    if (most.length === 0) most = [...left];
    most.forEach((key) => left.delete(key));
    groups.push(...chunks(most));
  }
  return groups;
}

function chunks<Key>(keys: readonly Key[]): Key[][] {
  return Array.from({ length: Math.ceil(keys.length / MAX_KEYS_PER_REQUEST) }, (_, n) =>
    keys.slice(n * MAX_KEYS_PER_REQUEST, (n + 1) * MAX_KEYS_PER_REQUEST),
  );
}
