import type { Column } from '../../src/kit/cassandra/column';
import { toSnakeCase } from '../../src/kit/cassandra/statement';
import { isRow, keyIn } from '../../src/jobs/stored';
import type { AnyTable, StoredRow } from '../../src/kit/cassandra/table';
import type { Harness } from '../support/harness';

/** All rows of a table, by their keys. */
export async function dump({ database }: Harness, table: AnyTable): Promise<Map<string, StoredRow>> {
  const rows = new Map<string, StoredRow>();
  for await (const row of database.stream(table.rows.all, [])) {
    const stored = { ...row };
    if (!isRow(table, stored)) continue;
    // These flags stay when what they announce is gone.
    delete stored['isSplit'];
    delete stored['isMerged'];
    // Once its user has a name, it is that user's for good, whoever says so.
    delete stored['stored'];
    rows.set(keyIn(table, stored), stored);
  }
  return new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What of each table is not needed, and may be missing after it was rebuilt. */
function isNeeded(table: AnyTable, row: StoredRow, rows: readonly StoredRow[]): boolean {
  if ('magnitude' in table.columns) {
    const id = 'tweetId' in table.columns ? 'tweetId' : 'userId';
    return rows.every(
      (other) => other[id] !== row[id] || Number(other['magnitude']) <= Number(row['magnitude']),
    );
  }
  return table.name !== 'timelines_by_user' || row['authorId'] !== '2';
}

/** Values that no test has. */
const others: Readonly<Record<string, unknown>> = {
  bigint: '77',
  int: 77,
  text: 'altered',
  boolean: false,
  timestamp: new Date(0),
  double: 7.5,
};

/** Deletes a row of a table and alters another, where it has more than keys, and inserts one too many; all by plain CQL. */
export async function damage(server: Harness, table: AnyTable): Promise<Record<string, number>> {
  const { database } = server;
  const rows = [...(await dump(server, table)).values()];
  const [lost, altered] = rows.filter((row) => isNeeded(table, row, rows));
  const keys = [...table.partition, ...table.clustering];
  const where = keys.map((property) => `${toSnakeCase(property)} = ?`).join(' AND ');
  const keyOf = (row: StoredRow) => keys.map((property) => row[property]);
  if (lost === undefined) throw new Error(`${table.name} must have rows`);
  await database.run(`DELETE FROM ${table.name} WHERE ${where}`, keyOf(lost));
  const alterable = Object.entries<Column<unknown>>(table.columns).filter(
    ([property, { cql, isStatic }]) =>
      // By the id of a share its source is found: with another one, the row is one too many.
      ![...keys, 'stored', 'shareId'].includes(property) && cql in others && !isStatic,
  );
  // With another user's id, a copy of a user would be one too many.
  const column = alterable.find(([property]) => property !== 'userId') ?? alterable[0];
  if (column && altered) {
    const [property, { cql }] = column;
    const set = `UPDATE ${table.name} SET ${toSnakeCase(property)} = ? WHERE ${where}`;
    await database.run(set, [others[cql], ...keyOf(altered)]);
  }
  const surplus = surplusOf(table, lost);
  const names = Object.keys(surplus).filter((property) => surplus[property] != null);
  // As of some minutes ago: what is claimed now may be about to be kept.
  const insert = `INSERT INTO ${table.name} (${names.map(toSnakeCase).join(', ')}) VALUES (${names.map(() => '?').join(', ')}) USING TIMESTAMP ${(Date.now() - 300_000) * 1000}`;
  await database.run(
    insert,
    names.map((name) => surplus[name]),
  );
  return { missing: 1, surplus: 1, different: column && altered ? 1 : 0 };
}

/** A row like another, of what is not there. */
function surplusOf({ name, columns }: AnyTable, row: StoredRow): StoredRow {
  if (name === 'buckets') return { ...row, list: 'no_list' };
  if ('usernameFolded' in columns) return { usernameFolded: 'nobody', userId: '77' };
  if ('accountFolded' in columns) return { accountFolded: 'nobody', userId: '77' };
  const ids = [
    'commentId',
    'articleId',
    'tweetId',
    'followerId',
    'followeeId',
    'authorId',
    'userId',
    'targetId',
  ];
  const [absent = ''] = ids.filter((property) => property in columns);
  return { ...row, [absent]: '77' };
}
