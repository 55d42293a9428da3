import type { Client, Host } from 'cassandra-driver';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait for agreement, how often to look, and how long a node may take to answer; in milliseconds. */
const MAX_WAIT_MS = 30_000;
const PAUSE_MS = 20;
const MAX_ANSWER_MS = 2000;

/** The functions by which a client changes the schema of a cluster. */
interface Schema {
  /** The node to which changes are sent: always the same one, unless it goes down or is left. */
  node(): Promise<Host>;
  /** Takes another node for the next change, because this one did not answer. */
  leave(host: Host): void;
  /** Waits until the nodes that are up have the same schema, or for half a minute. Resolves to whether they have. */
  agree(): Promise<boolean>;
}

/**
 * Makes schema changes of a client safe and fast. Every node is asked for its own version of the schema, because what nodes
 * tell about each other is a second late. Nodes of other data centres are not asked: the client has no connections to them.
 */
export function schemaOf(client: Client, localDatacenter: string): Schema {
  let chosen: Host | undefined;
  let left: Host | undefined;
  const nodesUp = () =>
    client.hosts.values().filter((host) => host.isUp() && host.datacenter === localDatacenter);
  const agree = async () => {
    const until = Date.now() + MAX_WAIT_MS;
    do {
      const versions = await Promise.all(nodesUp().map((host) => versionOn(client, host)));
      if (!versions.includes(null) && new Set(versions).size === 1) return true;
      await sleep(PAUSE_MS);
    } while (Date.now() < until);
    return false;
  };
  return {
    agree,
    leave(host) {
      [chosen, left] = [undefined, host];
    },
    async node() {
      if (chosen?.isUp() === true) return chosen;
      // The next node must have the changes that the one before has made, and so must the first one those of another server.
      await agree();
      const up = nodesUp();
      chosen = up.find((host) => host !== left) ?? up[0];
      if (chosen === undefined) throw new Error('A node of the local data centre must be up, but none is.');
      return chosen;
    },
  };
}

/** The version of a node's schema; null if it does not answer. */
async function versionOn(client: Client, host: Host): Promise<string | null> {
  try {
    const query = 'SELECT schema_version FROM system.local';
    const { rows } = await client.execute(query, [], { host, readTimeout: MAX_ANSWER_MS });
    return String(rows[0]?.['schema_version']);
  } catch {
    return null;
  }
}
