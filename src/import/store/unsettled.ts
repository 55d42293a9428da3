import { randomUUID } from 'node:crypto';
import type { Database } from '../../kit/cassandra/database';
import { createLoad } from '../../kit/reads/load';
import type { RowWriter } from '../../kit/writes/row-writer';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { unsettledImports } from './import.table';

/** How many unsettled imports are found at most. */
const MAX_UNSETTLED_IMPORTS = 1000;

/** The row of `unsettled_imports` that an import has until its rows are counted. It stays if the import is killed. */
interface UnsettledImport {
  /** Whether an earlier import was killed, so that rows may be uncounted. Known once this import has begun. */
  readonly wasKilled: boolean;
  /** Stores the row. */
  begin(): Promise<void>;
  /** Removes the row of this import, and those of earlier ones that were killed. */
  end(): Promise<void>;
}

/** Creates the `UnsettledImport` of an import. */
export function createUnsettledImport(database: Database, writer: RowWriter): UnsettledImport {
  const run = randomUUID();
  let before: readonly string[] | undefined;
  return {
    get wasKilled() {
      return (before?.length ?? 0) > 0;
    },
    async begin() {
      const key = { shard: 0, limit: MAX_UNSETTLED_IMPORTS };
      before ??= (await createLoad(database)(unsettledImports.page, key)).map((row) => row.run);
      const { query, params } = writeOf(unsettledImports, { shard: 0, run });
      await database.write(query, params);
    },
    async end() {
      for (const done of [run, ...(before ?? [])])
        await writer.put(removalOf(unsettledImports, { shard: 0, run: done }));
      await writer.flush();
      before = undefined;
    },
  };
}
