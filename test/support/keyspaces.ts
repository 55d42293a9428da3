import type { Database } from '../../src/kit/cassandra/database';

/** The names of all keyspaces that the workers of the run keep for their files begin with this. */
const prefix = () => `${process.env['TEST_KEYSPACE'] ?? 'test'}_`;

/** A keyspace that a worker of the run keeps for its files. One file at a time uses it, or a part of a file. */
export function keyspaceOf(worker: string, number: number): string {
  return `${prefix()}${worker}_${number}`;
}

/** Drops what the workers have kept. */
export async function dropKeyspaces(database: Database): Promise<void> {
  const rows = await database.run('SELECT keyspace_name FROM system_schema.keyspaces');
  for (const name of rows
    .map((row) => String(row['keyspace_name']))
    .filter((one) => one.startsWith(prefix())))
    // On a busy machine this takes longer than is waited for, and happens all the same.
    await database.run(`DROP KEYSPACE IF EXISTS ${name}`).catch(() => undefined);
}

/**
 * Empties the tables of a kept keyspace. With one node, only those that were written to since they were emptied: a file uses a few of
 * them, and to empty one takes Cassandra ten times as long as a write. The numbers of writes are remembered in the keyspace itself,
 * because the files of a worker share nothing.
 */
export async function emptyTables(
  database: Database,
  keyspace: string,
  tables: readonly { readonly name: string }[],
): Promise<void> {
  const before = await rememberedWrites(database);
  const now = database.nodes() === 1 ? await countWrites(database, keyspace) : new Map<string, string>();
  const isUntouched = (name: string) => now.has(name) && now.get(name) === (before.get(name) ?? '0');
  // Without a commit log, Cassandra forgets what a table has in memory; else it writes it to disk before it empties the table.
  if (before.size === 0 && now.size > 0)
    await database.run(`ALTER KEYSPACE ${keyspace} WITH durable_writes = false`);
  const touched = tables.filter(({ name }) => !isUntouched(name));
  await Promise.all(touched.map(({ name }) => database.run(`TRUNCATE ${name}`)));
  for (const { name } of touched) before.set(name, now.get(name) ?? '');
  await database.run("INSERT INTO migrations (file, checksum) VALUES ('emptied', ?)", [
    JSON.stringify([...before]),
  ]);
}

async function rememberedWrites(database: Database): Promise<Map<string, string>> {
  const [row] = await database.run("SELECT checksum FROM migrations WHERE file = 'emptied'");
  return new Map(JSON.parse(String(row?.['checksum'] ?? '[]')) as [string, string][]);
}

/** How often the node has written to each table, since it started. */
export async function countWrites(database: Database, keyspace: string): Promise<Map<string, string>> {
  const rows = await database.run(
    // Cassandra 4.1 filters its own tables only if told to.
    'SELECT table_name, count FROM system_views.local_write_latency WHERE keyspace_name = ? ALLOW FILTERING',
    [keyspace],
  );
  return new Map(rows.map((row) => [String(row['table_name']), String(row['count'])]));
}
