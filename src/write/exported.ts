import type { Database } from '../kit/cassandra/database';
import type { AnyTable } from '../kit/cassandra/table';
import { decodePosition, encodePosition } from '../kit/lists/list-buckets';
import { listPages } from '../kit/lists/list-pages';
import type { List } from '../kit/lists/list-parts';
import { readMany, type Load } from '../kit/reads/load';
import { users } from '../features/user/user.table';

/** A page of what a person has: some lines of a file. */
export interface ExportedPage {
  /** The position from which to go on after an interruption. */
  readonly after: string;
  /** How many lines it has. */
  readonly rows: number;
  /** The lines: JSON, each with a line feed at its end. */
  readonly lines: Buffer;
}

/** A part of the export of a person: one file of lines of JSON. The lines do not name the person, because all are that person's. */
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
/** A page with so many bytes of lines is given at once: one line may have megabytes. */
const PAGE_BYTES = 256 * 1024;

/** A list of a person, as far as all of it is read. */
export interface OwnList<R> {
  readonly name: string;
  readonly clustering: readonly string[];
  list(this: void, load: Load, ownerId: string): List<R>;
}

/**
 * Exports a list of the person, newest first. `linesOf` makes a line of each row, in their order, null for a row that gives none; `atOnce`
 * rows at a time, which bounds memory where what it reads of a row is long.
 */
export function exportList<R extends object>(
  name: string,
  of: OwnList<R>,
  linesOf: (database: Database, rows: readonly R[]) => Promise<readonly Line[]> | readonly Line[],
  atOnce = ROWS_AT_ONCE,
): ExportedPart {
  const positionOf = (row: R) =>
    encodePosition(of.clustering.map((property) => Reflect.get(row, property) as Date | string));
  return {
    name,
    tables: [of],
    async *pages(database, userId, after) {
      const from = after === '' ? null : { bucket: 0, key: decodePosition(after) };
      for await (const page of listPages(database, (load) => of.list(load, userId), ROWS_AT_ONCE, from))
        for (let n = 0; n < page.length; n += atOnce) {
          const rows = page.slice(n, n + atOnce);
          const lines = await linesOf(database, rows);
          let given: Buffer[] = [];
          let bytes = 0;
          for (const [index, row] of rows.entries()) {
            const line = lines[index];
            if (line != null) bytes += given[given.push(encodeLine(line)) - 1]?.length ?? 0;
            if (bytes < PAGE_BYTES && index < rows.length - 1) continue;
            yield { after: positionOf(row), rows: given.length, lines: Buffer.concat(given) };
            [given, bytes] = [[], 0];
          }
        }
    },
  };
}

/** A line of an export; null where a row gives none. */
type Line = object | null;

/** Exports what is so little that it is read at once. */
export function exportAtOnce(
  name: string,
  tables: ExportedPart['tables'],
  linesOf: (database: Database, userId: string) => Promise<readonly object[]>,
): ExportedPart {
  return {
    ...{ name, tables },
    async *pages(database, userId, after) {
      if (after !== '') return;
      const lines = await linesOf(database, userId);
      if (lines.length > 0)
        yield { after: 'all', rows: lines.length, lines: Buffer.concat(lines.map(encodeLine)) };
    },
  };
}

function encodeLine(line: object): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`);
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
