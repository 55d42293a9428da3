import { createHash, randomUUID } from 'node:crypto';
import type { Database } from './database';
import { isMigration, readVersion, type Migration } from './migration-files';

/** Migrations cannot be applied: the message says what is wrong with the keyspace or a file, or that the lock was lost. */
export class MigrationError extends Error {}

/** A keyspace, and the folder of its migrations. */
export interface Migrated {
  readonly keyspace: string;
  readonly folder: string;
}

/**
 * Creates the table `migrations` if it is missing. The table holds the lock, so no lock can guard its creation. If servers
 * create a table at once through different nodes, it gets different ids, and the nodes disagree about it for good
 * (CASSANDRA-9933). So its id is derived from its name, and all servers create the same table. Looking for it first avoids
 * a schema change when a server starts later.
 */
export async function createMigrationsTable(database: Database, keyspace: string): Promise<void> {
  const columns = await columnsOfMigrations(database, keyspace);
  if (columns.has('expands')) return;
  if (columns.size > 0) {
    await database.changeSchema('ALTER TABLE migrations ADD IF NOT EXISTS expands boolean');
    await database.agreeOnSchema();
    return;
  }
  await database.changeSchema(
    `CREATE TABLE IF NOT EXISTS migrations (
       file text PRIMARY KEY,
       checksum text, -- of an applied file
       version text, -- of the package that applied it
       expands boolean, -- whether it only adds, so that earlier versions can go on
       holder text, -- of the row lock: the server that applies files
       salt text -- of the row ids: what the ids of tables are derived from
     ) WITH ID = ${idFrom(`${keyspace}.migrations`)}
     AND comment = 'Which files of cql/ have been applied, and by which version? A row for each.'`,
  );
  await database.agreeOnSchema();
}

/**
 * Whether a keyspace has the table `migrations`. Throws `MigrationError` if it is one from before the baseline: its first
 * servers recorded no version.
 */
export async function hasMigrationsTable(database: Database, keyspace: string): Promise<boolean> {
  return (await columnsOfMigrations(database, keyspace)).size > 0;
}

async function columnsOfMigrations(database: Database, keyspace: string): Promise<ReadonlySet<string>> {
  const rows = await database.run(
    "SELECT column_name FROM system_schema.columns WHERE keyspace_name = ? AND table_name = 'migrations'",
    [keyspace],
  );
  const columns = new Set(rows.map((row) => String(row['column_name'])));
  if (columns.size > 0 && !columns.has('version'))
    throw new MigrationError(
      `The keyspace ${keyspace} has tables of a version before 0.3.0. Version 0.3.0 made a new beginning, to which no migration leads. ` +
        'Nothing was changed.\n' +
        'To go on with what is stored, run the version that stored it. To begin anew, give this version a keyspace of its own: ' +
        'another DATA_DIR for an embedded Cassandra, else another CASSANDRA_KEYSPACE. Then import the files again from which ' +
        'the data came; what mutations have written cannot be taken along.',
    );
  return columns;
}

/**
 * Returns the files that are not applied yet. Throws `MigrationError` if the keyspace has other files than these, unless they only add:
 * then servers of both versions may run, one after the other replaced, and back.
 */
export async function findPending(
  database: Database,
  { keyspace, folder }: Migrated,
  files: readonly Migration[],
): Promise<Migration[]> {
  const rows = await database.run('SELECT * FROM migrations');
  const applied = new Map(
    rows.flatMap((row) => {
      const { file, checksum, version, expands } = row as unknown as Applied;
      return isMigration(file) ? [[file, { checksum, version, expands }] as const] : [];
    }),
  );
  for (const { name, checksum } of files) {
    const before = applied.get(name);
    if (before !== undefined && before.checksum !== checksum)
      throw new MigrationError(
        `The statements of ${name} were changed after version ${before.version} had applied them to the keyspace ${keyspace}. Restore them, and put the change into a new file.`,
      );
  }
  const known = new Set(files.map(({ name }) => name));
  const unknown = [...applied].filter(([name, { expands }]) => !known.has(name) && expands !== true);
  if (unknown.length > 0) {
    const newest = unknown.map(([, { version }]) => version).reduce(newerVersion);
    throw new MigrationError(
      `The keyspace ${keyspace} has tables of version ${newest} (${unknown.map(([name]) => name).join(', ')}), which this version, ${readVersion(folder)}, does not know. Start version ${newest} or a later one.`,
    );
  }
  return files.filter(({ name }) => !applied.has(name));
}

interface Applied {
  readonly file: string;
  readonly checksum: string;
  readonly version: string;
  /** Null or absent if it was applied before this was recorded. */
  readonly expands?: boolean | null;
}

/** The newer of two versions. A candidate such as 1.0.0-rc.1 is older than its release, which gets a `~`, because that comes after `-`. */
export function newerVersion(one: string, other: string): string {
  const keyOf = (version: string) => (version.includes('-') ? version : `${version}~`);
  return keyOf(one).localeCompare(keyOf(other), 'en', { numeric: true }) < 0 ? other : one;
}

/** Records that a file is applied. */
export async function recordApplied(
  database: Database,
  { folder }: Migrated,
  file: Migration,
): Promise<void> {
  await database.run('INSERT INTO migrations (file, checksum, version, expands) VALUES (?, ?, ?, ?)', [
    file.name,
    file.checksum,
    readVersion(folder),
    file.isExpansion,
  ]);
}

/**
 * Resolves to a function that adds an id to a statement which creates a table. The id follows from the table's name. A server that was
 * taken for dead may go on, and a node may die before it has told the others of a table: a server that creates the table again gives it the
 * same id. Ids depend on a salt of the keyspace: if a keyspace is dropped and created anew, a node that replays its commit log must not
 * take the rows of a former table for those of the new one.
 */
export async function tableIds(database: Database): Promise<(file: Migration, statement: string) => string> {
  const own = randomUUID();
  const [row] = await database.run("INSERT INTO migrations (file, salt) VALUES ('ids', ?) IF NOT EXISTS", [
    own,
  ]);
  const salt = String(row?.['[applied]'] === true ? own : row?.['salt']);
  return ({ name }, statement) => {
    const table = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(statement)?.[1];
    if (table === undefined) return statement;
    const hasOptions = /\)\s*WITH\b/i.test(statement.replace(/'(?:[^']|'')*'/g, ''));
    return `${statement} ${hasOptions ? 'AND' : 'WITH'} ID = ${idFrom(`${salt} ${name} ${table}`)}`;
  };
}

/** Derives a version 8 UUID (RFC 9562, for custom formats) from a text. */
function idFrom(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
