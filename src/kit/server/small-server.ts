import { createBulkWriter } from '../writes/bulk';
import type { RowWriter } from '../writes/row-writer';
import type { Database } from '../cassandra/database';
import { readSettings, serverConfigOf, serverSettings } from '../config/config';
import type { GraphiqlPage } from '../../tools/graphiql/graphiql';
import { createHttpServer } from '../http/server';
import type { Load } from '../reads/load';
import type { ModelSource } from '../../tools/model/model';
import type { IndexedList } from '../postings/inverted-index';
import { scheduleSealing } from '../postings/schedule-sealing';
import { sharedIndex } from '../postings/shared-index';
import { createLogger } from './logger';
import { openKeyspace, type OpenedDatabase } from './open';
import type { Program } from './run-server';

/** A server that consists of tables and a schema. Its resolvers have a `SmallContext`, and beside its requests only indexes are sealed. */
export interface SmallServer extends ModelSource {
  /** The content of GraphiQL besides the title. */
  readonly page: Omit<GraphiqlPage, 'title'>;
  /** Its keyspace, unless CASSANDRA_KEYSPACE names another. */
  readonly keyspace: string;
  /** Writes the first rows. It is called at every start, so the rows may exist already. */
  fill(this: void, database: Database): Promise<void>;
  /** The lists that have an inverted index, whose entries the server seals. */
  readonly indexes?: readonly IndexedList[];
}

/** The context of a small server's resolvers. */
export interface SmallContext {
  readonly load: Load;
  readonly database: Database;
  readonly bulk: () => RowWriter;
}

/**
 * Creates the program of a small server, with the settings of an environment. Throws `ConfigError`.
 *
 * @example
 * ```ts
 * const program = programOf(hotelServer, { PORT: '4001' });
 * ```
 */
export function programOf(server: SmallServer, environment: NodeJS.ProcessEnv) {
  const settings = serverSettings.extend({
    CASSANDRA_KEYSPACE: serverSettings.shape.CASSANDRA_KEYSPACE.unwrap().default(server.keyspace),
  });
  const config = serverConfigOf(readSettings(settings, environment));
  const logger = createLogger(config.logLevel);
  return {
    config,
    logger,
    open: () => openKeyspace(config, server.cql, logger),
    async serve(
      this: void,
      { database }: OpenedDatabase,
      onEnd: (end: () => Promise<void>) => void = () => undefined,
    ) {
      await server.fill(database);
      const indexes = (server.indexes ?? []).map((indexed) => sharedIndex(database, indexed));
      onEnd(scheduleSealing(indexes, config.sealAfterSeconds, logger).stop);
      const bulk = createBulkWriter(database);
      return createHttpServer({
        model: server,
        database,
        config,
        logger,
        page: { title: server.title, ...server.page },
        contextOf: (): Omit<SmallContext, 'load'> => ({ database, bulk }),
      });
    },
  } satisfies Program;
}
