import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRing, type Ring } from '../../src/tools/embedded/ring';

/** A Cassandra ring with its own folder, and the settings with which servers find it. */
export interface Cluster {
  readonly ring: Ring;
  readonly environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** Starts a ring, of three nodes by default. It takes half a minute. */
export async function startCluster(nodes = 3): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'murmuration-ring-'));
  const ring = await startRing({ dir: folder, nodes, log: (line) => process.stderr.write(`${line}\n`) });
  return {
    ring,
    environment: {
      CASSANDRA_CONTACT_POINTS: ring.contactPoints.join(','),
      CASSANDRA_LOCAL_DATACENTER: ring.localDatacenter,
      CASSANDRA_REPLICATION_FACTOR: String(nodes),
    },
    async stop() {
      await ring.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
