import { isNotFound } from '../kit/base/errors';
import type { Write } from '../kit/cassandra/database';
import type { AnyTable, StoredRow } from '../kit/cassandra/table';
import { isListTable, type Columns, type Table } from '../kit/cassandra/table';
import { partitionRemovalOf } from '../kit/cassandra/write';
import { bucketsOfList, decodePosition, encodePosition } from '../kit/lists/list-buckets';
import { listPages } from '../kit/lists/list-pages';
import { removeList } from '../kit/writes/remove-list';
import { createLoad } from '../kit/reads/load';
import { putAll } from '../kit/writes/row-writer';
import type { OwnList } from './exported';
import type { WriteServices } from './write-services';

/**
 * When a part of a deletion is done. Before each phase, all tasks that are about the person have ended:
 * - `acts`: what the person did is undone, as the person would: likes, tweets, comments.
 * - `traces`: what deleted things leave, which their deletion needs.
 * - `follows`: follows both ways. Until then deletions find the timelines of followers.
 * - `lists`: what is kept by the id of the person.
 * - `identity`: names and the user.
 */
export const DELETION_PHASES = ['acts', 'traces', 'follows', 'lists', 'identity'] as const;

/** Somebody whose account is being deleted, and by which identity. */
export interface DeletedAccount {
  readonly userId: string;
  readonly issuer: string | null;
  readonly subject: string | null;
}

/** The rows that a part has removed since its last checkpoint. */
interface Removed {
  /** The position from which to go on after an interruption. */
  readonly after: string;
  /** How many rows of which tables. */
  readonly rows: Readonly<Record<string, number>>;
}

/** The part of a feature that removes the traces of a person whose account is deleted. */
export interface DeletionPart {
  /** Its name in checkpoints. */
  readonly name: string;
  readonly phase: (typeof DELETION_PHASES)[number];
  /** The tables that have the id of the person no more once all parts are done. A test asks for every table that may have one. */
  readonly tables: readonly Pick<AnyTable, 'name'>[];
  /** Removes, from a position on or from the beginning. It may run again. */
  remove(
    this: void,
    writeServices: WriteServices,
    account: DeletedAccount,
    after: string,
  ): AsyncIterable<Removed>;
}

/**
 * A table that keeps ids where only a look at all rows finds them, such as that of a like that was taken back years ago. Once the parts of
 * a deletion are done, all these tables are read for it, and for all others that wait.
 */
export interface Swept {
  readonly table: Table<Columns, string, string>;
  /** The columns that are read of a row besides its key. */
  readonly columns: readonly string[];
  /** The writes that remove the ids of some users from a row; none if the row has none of them. */
  removals(this: void, row: StoredRow, userIds: ReadonlySet<string>): readonly SweptWrite[];
}

/** A write that removes the ids of users from a row. */
interface SweptWrite extends Pick<Write, 'query' | 'params'> {
  readonly userIds: readonly string[];
  /** Whether it is a lightweight transaction, because others write the row by these. */
  readonly isDecided: boolean;
}

/** Returns those of some ids that are in a set, each once. */
export function idsAmong(userIds: ReadonlySet<string>, ids: readonly unknown[]): string[] {
  return [...new Set(ids)].filter((id): id is string => typeof id === 'string' && userIds.has(id));
}

/** Sweeps rows that have the id of a person in one of some columns: they are removed. */
export function sweepRows(
  table: Table<Columns, string, string>,
  columns: readonly string[],
  { isDecided }: Pick<SweptWrite, 'isDecided'>,
): Swept {
  const keys = [...table.partition, ...table.clustering];
  return {
    table,
    columns: columns.filter((column) => !keys.includes(column)),
    removals(row, userIds) {
      const found = idsAmong(
        userIds,
        columns.map((column) => row[column]),
      );
      if (found.length === 0) return [];
      return [
        {
          query: isDecided ? `${table.remove} IF EXISTS` : table.remove,
          params: keys.map((property) => row[property]),
          ...{ userIds: found, isDecided },
        },
      ];
    },
  };
}

/** How many rows there are between two checkpoints, and how many are undone at once. */
const ROWS_PER_PAGE = 100;
const ROWS_AT_ONCE = 4;

/** Undoes the act that each row of a list of the person stands for, as the person would. Acts that are gone already are passed over. */
export function undoEach<R extends object>(
  of: OwnList<R>,
  declared: Omit<DeletionPart, 'name' | 'remove'> & {
    undo(this: void, writeServices: WriteServices, userId: string, row: R): Promise<unknown>;
  },
): DeletionPart {
  const { undo, ...part } = declared;
  return {
    ...part,
    name: of.name,
    async *remove(writeServices, { userId }, after) {
      const from = after === '' ? null : { bucket: 0, key: decodePosition(after) };
      const pages = listPages(writeServices.database, (load) => of.list(load, userId), ROWS_PER_PAGE, from);
      for await (const page of pages) {
        for (let n = 0; n < page.length; n += ROWS_AT_ONCE)
          await Promise.all(
            page.slice(n, n + ROWS_AT_ONCE).map((row) =>
              undo(writeServices, userId, row).catch((error: unknown) => {
                if (!isNotFound(error)) throw error;
              }),
            ),
          );
        const last = page.at(-1);
        if (last === undefined) return;
        const position = of.clustering.map((property) => Reflect.get(last, property) as Date | string);
        yield { after: encodePosition(position), rows: { [of.name]: page.length } };
      }
    },
  };
}

/** Removes the partitions of the person from tables that are kept by the id of a user. */
export function clearOwn(name: string, ...tables: readonly Table<Columns, string, string>[]): DeletionPart {
  return {
    name,
    phase: 'lists',
    tables,
    async *remove(writeServices, { userId }, after) {
      for (const [index, table] of tables.entries())
        if (index >= Number(after))
          yield {
            after: String(index + 1),
            rows: { [table.name]: await clear(writeServices, table, userId) },
          };
    },
  };
}

/** Removes the partitions that an owner has in a table. Resolves to how many rows they had. */
export async function clear(
  writeServices: WriteServices,
  table: Table<Columns, string, string>,
  ownerId: string,
): Promise<number> {
  const [owner = ''] = table.partition;
  const load = createLoad(writeServices.database);
  const isList = isListTable(table);
  const buckets = isList ? await bucketsOfList(load, table, ownerId) : [undefined];
  const keys: StoredRow[] = buckets.map((bucket) => ({
    [owner]: ownerId,
    ...(bucket !== undefined && { bucket }),
  }));
  const rows = await Promise.all(keys.map((key) => load(table.count, key)));
  if (isList) await removeList(writeServices.database, writeServices.bulk(), table, ownerId);
  else await putAll(writeServices.bulk(), [partitionRemovalOf(table, { [owner]: ownerId })]);
  return rows.reduce((sum, count) => sum + count, 0);
}
