import { NoEngineError } from './errors';
import type { Engine } from './embedded';
import { datacenter } from './settings';

const image = 'cassandra:5.0';

/**
 * Starts a Cassandra in a container, for tests on machines with a Docker engine and no Java. Its data is lost with the container.
 * The library is a development dependency and slow to load, so it is only loaded here.
 *
 * @throws NoEngineError when no Docker engine answers
 */
export async function startContainer(log: (line: string) => void): Promise<Engine> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const { CassandraContainer } = await import('@testcontainers/cassandra');
  await getContainerRuntimeClient().catch((cause: unknown) => {
    throw new NoEngineError('A Docker engine must answer, but none does', { cause });
  });
  log(`Starting a container of ${image}`);
  const container = await new CassandraContainer(image)
    .withDatacenter(datacenter)
    .withEnvironment({ MAX_HEAP_SIZE: '512M', HEAP_NEWSIZE: '128M' })
    .withStartupTimeout(300_000)
    .start();
  let released: Promise<unknown> | undefined;
  return {
    contactPoints: [container.getContactPoint()],
    localDatacenter: container.getDatacenter(),
    description: `Cassandra on ${container.getContactPoint()}, container ${container.getName()} of ${image}`,
    release: async () => {
      await (released ??= container.stop());
    },
  };
}
