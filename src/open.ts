import type { Logger } from 'pino';
import type { Config } from './config';
import { fromSources } from './kit/base/from-sources';
import { openKeyspace, type OpenedDatabase, type OpenOptions } from './kit/server/open';

/** The folder of the CQL migrations. */
export const cql = fromSources(__dirname, '../cql');

/** Opens the configured cluster, else the embedded node, with the tables of `cql/`: see `openKeyspace`. */
export function openDatabase(
  config: Config,
  logger: Logger,
  options: OpenOptions = {},
): Promise<OpenedDatabase> {
  return openKeyspace(config, cql, logger, options);
}
