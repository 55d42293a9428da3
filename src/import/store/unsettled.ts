import { randomUUID } from 'node:crypto';
import type { Database } from '../../kit/cassandra/database';
import { createLoad } from '../../kit/data/load';
import type { RowWriter } from '../../kit/data/row-writer';
import { removalOf, writeOf } from '../../kit/data/write';
import { unsettledImports } from './import.table';

/** How many unsettled imports are found at most. */
const MAX_UNSETTLED_IMPORTS = 1000;

/** The mark of an import whose rows are not counted yet. It stays if the import is killed. */
export interface UnsettledMark {
  /** Whether an earlier import was killed, so that rows may be uncounted. Known once this import has begun. */
  readonly wasKilled: boolean;
  /** Marks this import as begun. */
  begin(): Promise<void>;
  /** Removes the mark of this import, and those of earlier ones that were killed. */
  end(): Promise<void>;
}

/** Creates the mark of an import. */
export function createUnsettledMark(database: Database, writer: RowWriter): UnsettledMark {
  const run = randomUUID();
  let before: readonly string[] | undefined;
  return {
    get wasKilled() {
      return (before?.length ?? 0) > 0;
    },
    async begin() {
      const key = { part: 0, limit: MAX_UNSETTLED_IMPORTS };
      before ??= (await createLoad(database)(unsettledImports.page, key)).map((row) => row.run);
      const { query, params } = writeOf(unsettledImports, { part: 0, run });
      await database.write(query, params);
    },
    async end() {
      for (const done of [run, ...(before ?? [])])
        await writer.put(removalOf(unsettledImports, { part: 0, run: done }));
      await writer.flush();
      before = undefined;
    },
  };
}
