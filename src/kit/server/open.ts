import { retry } from '../base/retry';
import type { Logger } from 'pino';
import { consistencyWarnings, replicasIn, type Guarantees } from '../cassandra/consistency';
import type { DatabaseOptions } from '../cassandra/client-options';
import { connectDatabase, type Database } from '../cassandra/database';
import { checkMigrations, migrate } from '../cassandra/migrate';
import type { ServerConfig } from '../config/config';
import { openEngine } from '../../tools/embedded/engine';
import { isUnavailable } from '../base/errors';
import { isStopping } from '../base/stop-signal';

/** How long to wait for a cluster that does not answer, in milliseconds. */
const MAX_WAIT_MS = 45_000;

/** A database whose tables exist, and how to close it. */
export interface OpenedDatabase {
  readonly database: Database;
  /** Whether the database is a Cassandra that this machine runs itself. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** How a database is opened: see `openKeyspace`. */
export interface OpenOptions {
  readonly asItIs?: boolean;
  readonly leavesFound?: boolean;
}

/**
 * Opens the cluster that the settings name, or else the embedded node; creates the keyspace and applies the migrations of a
 * folder. `asItIs` is for programs that only look: nothing is created, and a cluster that does not answer is not waited for. With
 * `leavesFound`, an embedded node that a killed server has left behind is left running again.
 */
export async function openKeyspace(
  config: Pick<ServerConfig, 'cassandra' | 'dataDir'>,
  cql: string,
  logger: Logger,
  { asItIs = false, leavesFound = false }: OpenOptions = {},
): Promise<OpenedDatabase> {
  const log = (line: string) => {
    logger.info(line);
  };
  const { contactPoints, keyspace, credentials, tls, ...cassandra } = config.cassandra;
  const engine =
    contactPoints === null ? await openEngine({ dataDir: config.dataDir, log, leavesFound }) : null;
  const ownCredentials = engine === null ? credentials : engine.credentials;
  try {
    const options: DatabaseOptions = {
      contactPoints: engine?.contactPoints ?? contactPoints ?? [],
      localDatacenter: engine?.localDatacenter ?? cassandra.localDatacenter,
      readConsistency: cassandra.readConsistency,
      writeConsistency: cassandra.writeConsistency,
      serialConsistency: cassandra.serialConsistency,
      ...(ownCredentials && { credentials: ownCredentials }),
      ...(tls && { tls }),
    };
    const warn = (line: string) => {
      logger.warn(line);
    };
    const prepare = async () => {
      if (!asItIs) await createKeyspace(options, keyspace, cassandra.replicationFactor);
      const opened = await connectDatabase({ ...options, keyspace, warn });
      try {
        if (asItIs) await checkMigrations(opened, { keyspace, folder: cql });
        else await migrate(opened, { keyspace, folder: cql, log });
        return opened;
      } catch (error) {
        await opened.close();
        throw error;
      }
    };
    const database = await (asItIs ? prepare() : retryWhileAbsent(logger, prepare));
    if (!asItIs)
      await warnOfGaps(
        database,
        { ...cassandra, localDatacenter: options.localDatacenter },
        keyspace,
        logger,
      );
    return {
      database,
      embedded: engine !== null,
      async close() {
        await database.close();
        await engine?.release();
      },
    };
  } catch (error) {
    await engine?.release();
    throw error;
  }
}

/** Warns in the log of guarantees that the keyspace's replication and the configured consistencies do not give together. */
async function warnOfGaps(
  database: Database,
  settings: Omit<Guarantees, 'replicas'>,
  keyspace: string,
  logger: Logger,
): Promise<void> {
  const [row] = await database.read(
    'SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?',
    [keyspace],
  );
  const replicas = replicasIn(row);
  if (replicas === null) return;
  for (const warning of consistencyWarnings({ ...settings, replicas })) logger.warn(warning);
}

/** Retries while the cluster does not answer: it may be starting, or one of its nodes may just have died. */
function retryWhileAbsent<T>(logger: Logger, attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + MAX_WAIT_MS;
  return retry(attempt, (error) => {
    if (!isUnavailable(error) || performance.now() > until || isStopping()) return null;
    if (error.originalError)
      logger.info({ cause: error.originalError.message }, 'Cassandra does not answer yet');
    else logger.warn(error.message);
    return 1000;
  });
}

/**
 * Creates the keyspace unless it is there. If it is there, nothing is changed, so the user of a server needs no permission to create
 * keyspaces.
 */
async function createKeyspace(options: DatabaseOptions, keyspace: string, replicas: number): Promise<void> {
  const database = await connectDatabase(options);
  try {
    const [existing] = await database.run(
      'SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?',
      [keyspace],
    );
    if (existing) return;
    await database.changeSchema(
      `CREATE KEYSPACE IF NOT EXISTS ${keyspace}
       WITH replication = {'class': 'NetworkTopologyStrategy', '${options.localDatacenter}': ${replicas}}`,
    );
    await database.agreeOnSchema();
  } finally {
    await database.close();
  }
}
