import { unsettledImports } from '../import/store/import.table';
import type { Database } from '../kit/cassandra/database';
import { readMany } from '../kit/reads/load';

/**
 * Throws while an import is running or unfinished: it may have written derived rows before their sources, or rows
 * that are not counted yet.
 */
export async function requireNoImport(database: Database): Promise<void> {
  const [runs = []] = await readMany(database, unsettledImports.page, [{ shard: 0, limit: 1 }]);
  if (runs.length > 0) throw new Error('An import is running or was killed: let it finish, or run it again.');
}
