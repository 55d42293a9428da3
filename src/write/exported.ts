import type { Database } from '../kit/cassandra/database';
import type { AnyTable } from '../kit/cassandra/table';
import { decodePosition, encodePosition } from '../kit/lists/list-buckets';
import { listPages } from '../kit/lists/list-pages';
import type { List } from '../kit/lists/list-parts';
import { readMany, type Load } from '../kit/reads/load';
import { users } from '../features/user/user.table';

/** A page of what a person has: the lines of a file. */
export interface ExportedPage {
  /** Where to go on after an interruption. */
  readonly after: string;
  readonly lines: readonly object[];
}

/** What a feature adds to the export of a person: one file of lines of JSON. None of them says whose it is: all are the person's. */
export interface ExportedPart {
  /** The name of the file, without `.jsonl`. */
  readonly name: string;
  /** The tables that it exports. A test asks for every table that is kept by the id of a user. */
  readonly tables: readonly Pick<AnyTable, 'name'>[];
  /** Reads the lines, from a position on or from the beginning. */
  pages(this: void, database: Database, userId: string, after: string): AsyncIterable<ExportedPage>;
}

/** How many rows of a list are read at a time. */
const ROWS_AT_ONCE = 100;

/** A list of a person, as far as it is exported. */
interface OwnList<R> {
  readonly name: string;
  readonly clustering: readonly string[];
  list(this: void, load: Load, ownerId: string): List<R>;
}

/**
 * Exports a list of the person, newest first. `linesOf` makes a line of each row; `atOnce` rows at a time, which bounds memory where what
 * it reads of a row is long.
 */
export function exportList<R extends object>(
  name: string,
  of: OwnList<R>,
  linesOf: (database: Database, rows: readonly R[]) => Promise<readonly object[]> | readonly object[],
  atOnce = ROWS_AT_ONCE,
): ExportedPart {
  return {
    name,
    tables: [of],
    async *pages(database, userId, after) {
      const from = after === '' ? null : { bucket: 0, key: decodePosition(after) };
      for await (const page of listPages(database, (load) => of.list(load, userId), ROWS_AT_ONCE, from))
        for (let n = 0; n < page.length; n += atOnce) {
          const rows = page.slice(n, n + atOnce);
          const last = rows.at(-1) ?? {};
          const position = of.clustering.map((property) => Reflect.get(last, property) as Date | string);
          yield { after: encodePosition(position), lines: await linesOf(database, rows) };
        }
    },
  };
}

/** The people with some ids, in their order, as lines name them. */
export async function nameUsers(
  database: Database,
  userIds: readonly string[],
): Promise<{ readonly userId: string; readonly username?: string }[]> {
  const found = await readMany(
    database,
    users.get,
    userIds.map((userId) => ({ userId })),
  );
  return userIds.map((userId, index) => {
    const username = found[index]?.username;
    return username === undefined ? { userId } : { userId, username };
  });
}
