import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Host } from 'cassandra-driver';

/** How long nodes may take to agree on the tables; they tell each other of changes every second. */
const MAX_AGREEMENT_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** The node to which a connection sends changes of the schema. */
export interface SchemaNode {
  /** The node; undefined for any. */
  host(): Host | undefined;
  /** Takes another node, because this one does not answer. That one may not know the last changes yet. */
  change(): Promise<void>;
  /** Resolves when all nodes that are up have the tables that this node has, or after some seconds if they do not agree. */
  agree(): Promise<void>;
}

/** Chooses the node of a connection. If it does not change the schema, it has none, and the driver waits for agreement itself. */
export function chooseSchemaNode(client: Client, changesSchema: boolean): SchemaNode {
  const connected = () => client.getState().getConnectedHosts();
  const [any] = connected();
  let host = changesSchema ? any : undefined;
  const agree = async () => {
    const until = performance.now() + MAX_AGREEMENT_MS;
    while (host !== undefined && performance.now() < until) {
      if (await agrees(client, host)) return;
      await sleep(LOOK_EVERY_MS);
    }
  };
  return {
    host: () => host,
    agree,
    async change() {
      if (host === undefined) return;
      const { address } = host;
      host = connected().find((other) => other.address !== address) ?? host;
      await agree();
    },
  };
}

/** Whether a node knows of no other one that is up and has other tables. */
async function agrees(client: Client, host: Host): Promise<boolean> {
  const versions = new Set<string>();
  const add = (version: unknown) => versions.add(String(version));
  const ask = async (cql: string) => (await client.execute(cql, [], { host })).rows;
  for (const row of await ask('SELECT schema_version FROM system.local')) add(row['schema_version']);
  const up = new Set(
    client.hosts
      .values()
      .filter((node) => node.isUp())
      .map(({ address }) => hostIn(address)),
  );
  for (const row of await ask('SELECT rpc_address, schema_version FROM system.peers'))
    if (up.has(String(row['rpc_address']))) add(row['schema_version']);
  return versions.size === 1;
}

/** The address of a node without its port. */
function hostIn(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}
