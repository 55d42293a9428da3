import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config';
import { openKeyspace, type Opened } from './kit/open';

/** The folder of the migrations: at the top of the project, from the sources and from what they are compiled to. */
export const cql = join(__dirname, __dirname.includes(join('dist', 'src')) ? '../..' : '..', 'cql');

/** Opens the named cluster, else the embedded node, with the tables of `cql/`: see `openKeyspace`. */
export function openDatabase(
  config: Config,
  logger: Logger,
  options: { readonly asItIs?: boolean } = {},
): Promise<Opened> {
  return openKeyspace(config, cql, logger, options);
}
