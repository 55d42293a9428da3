import { startEmbedded, type EmbeddedOptions, type Engine } from './embedded';
import { NoEngineError } from './errors';
import { missingForEmbedded } from './resolve';
import { datacenter } from './settings';

export type { Engine } from './embedded';
export { hasNode } from './record';
export { NodeStartError, NoEngineError, ResolveError } from './errors';

/** The options of `openEngine`. */
interface EngineOptions extends EmbeddedOptions {
  /** Whether a container may be used instead, for tests: it loses all data when it ends. Default: no. */
  readonly container?: boolean;
}

/**
 * Opens a Cassandra that this machine can run itself: a child process if there is Java 17 (and Maven, until the jars are
 * there), else a container if that is allowed and a Docker engine answers.
 *
 * @throws NoEngineError with what to install; ResolveError, NodeStartError
 */
export async function openEngine({ container = false, ...options }: EngineOptions): Promise<Engine> {
  const missing = missingForEmbedded();
  if (missing === undefined) return startEmbedded(options);
  try {
    if (container) return await startContainer(options.log);
  } catch (error) {
    if (!(error instanceof NoEngineError)) throw error;
  }
  throw new NoEngineError(
    [
      `Cassandra cannot run here: ${missing} is missing${container ? ', and no Docker engine answers' : ''}. It needs one of these:`,
      '- Java 17, beside any other, and Maven (Ubuntu, Debian 12: apt install openjdk-17-jdk-headless maven;',
      '  macOS: brew install openjdk@17 maven; elsewhere: Temurin 17 from https://adoptium.net);',
      '  JAVA_HOME names it, if it is not where Javas usually are',
      '- a Docker engine: docker-compose up runs the server with three Cassandra nodes, and npm test uses a container',
      '- a Cassandra cluster: CASSANDRA_CONTACT_POINTS=host:9042 CASSANDRA_LOCAL_DATACENTER=datacenter1',
    ].join('\n'),
  );
}

const image = 'cassandra:5.0';

/**
 * Starts a Cassandra in a container, for tests on machines with a Docker engine and no Java. Its data is lost with the container.
 * The library is a development dependency and slow to load, so it is only loaded here.
 *
 * @throws NoEngineError when no Docker engine answers
 */
async function startContainer(log: (line: string) => void): Promise<Engine> {
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
