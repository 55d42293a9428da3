import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'cassandra-driver';
import { startRing, type Ring } from '../../src/tools/embedded/ring';

/** A Cassandra ring with its own folder, and the settings with which servers find it. */
export interface Cluster {
  readonly ring: Ring;
  readonly environment: NodeJS.ProcessEnv;
  /** The settings of each server beside these, in turn: its data centre. */
  readonly serverSettings: readonly NodeJS.ProcessEnv[];
  /** Creates a keyspace with a replica on each node. */
  createKeyspace(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** What servers of several data centres need: see docs/operations.md. */
const SEVERAL_DATACENTERS = {
  CASSANDRA_SERIAL_CONSISTENCY: 'SERIAL',
  CASSANDRA_READ_CONSISTENCY: 'QUORUM',
  CASSANDRA_WRITE_CONSISTENCY: 'QUORUM',
};

/** Starts a ring, of three nodes in one data centre by default. It takes half a minute. */
export async function startCluster(nodes = 3, datacenters = 1, { hints = true } = {}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'murmuration-ring-'));
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const ring = await startRing({ dir: folder, nodes, datacenters, hints, log });
  return {
    ring,
    environment: {
      CASSANDRA_CONTACT_POINTS: ring.contactPoints.join(','),
      CASSANDRA_LOCAL_DATACENTER: ring.localDatacenter,
      CASSANDRA_REPLICATION_FACTOR: String(nodes / datacenters),
      ...(datacenters > 1 && SEVERAL_DATACENTERS),
    },
    serverSettings: ring.datacenters.map((name) => ({ CASSANDRA_LOCAL_DATACENTER: name })),
    async createKeyspace(name) {
      const replicas = ring.datacenters.map((datacenter) => `'${datacenter}': ${nodes / datacenters}`);
      const client = new Client({
        contactPoints: [...ring.contactPoints],
        localDataCenter: ring.localDatacenter,
      });
      try {
        await client.execute(
          `CREATE KEYSPACE ${name} WITH replication = {'class': 'NetworkTopologyStrategy', ${replicas.join(', ')}}`,
        );
      } finally {
        await client.shutdown();
      }
    },
    async stop() {
      await ring.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
