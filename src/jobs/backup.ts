import { chmod, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Database } from '../kit/cassandra/database';
import { makeFolder } from '../kit/base/make-folder';
import { findMissingFiles, MANIFEST } from '../kit/base/snapshot-files';
import { isMigration, readMigrations, readVersion } from '../kit/cassandra/migration-files';
import { newerVersion } from '../kit/cassandra/migration-table';
import { tableRoles } from './all';

/** The manifest of a backup. It is written when all tables are there, so a folder without it is not a backup. */
export interface Backup {
  readonly keyspace: string;
  /** When it was begun: whatever was answered before is in it. */
  readonly takenAt: string;
  /** The newest version that has changed its tables. That version, or a later one with the same tables, restores it. */
  readonly version: string;
  /** The applied files of `cql/`, with their checksums. */
  readonly migrations: Readonly<Record<string, string>>;
  /** The tables, in the order in which they were taken. */
  readonly tables: readonly string[];
  /** How many nodes its data centre had. */
  readonly nodes: number;
}

const FILE = 'backup.json';
const UNFINISHED = `${FILE}.new`;
const backupShape = z.object({
  keyspace: z.string().regex(/^\w+$/),
  takenAt: z.string(),
  version: z.string(),
  migrations: z.record(z.string(), z.string()),
  tables: z.array(z.string().regex(/^\w+$/)),
  nodes: z.number().default(1),
});

/** How many missing files a message names. */
const MAX_NAMED = 5;

/** The tasks that are not completed are taken first: what is completed later is done again, which changes nothing. */
const FIRST = ['outbox', 'outbox_windows'];
/**
 * The tables that others name are taken last, so that the named rows are there: a like's tweet, an article's author, the next partition of
 * a list.
 */
const LAST = ['list_buckets', 'comments', 'articles', 'tweets', 'users'];

/** The tables that a backup has, in the order in which to take them. Transient ones are left out: they are of servers that are gone. */
const tablesToBackUp: readonly string[] = Object.entries(tableRoles)
  .filter(([, { kind }]) => kind !== 'transient')
  .map(([name]) => name)
  .sort((one, other) => placeOf(one) - placeOf(other));

/** First the tasks, then what is derived, then the truth that it follows from. */
function placeOf(name: string): number {
  if (FIRST.includes(name)) return -2;
  if (LAST.includes(name)) return 1 + LAST.indexOf(name);
  return tableRoles[name]?.kind === 'derived' ? -1 : 0;
}

/**
 * Describes a backup of a keyspace that is taken now. Throws if the keyspace has tables that this version does not know: a newer one has
 * made them, and only that one can tell whether they belong to a backup.
 */
export async function describeBackup(database: Database, keyspace: string): Promise<Backup> {
  const takenAt = new Date().toISOString();
  const applied = await database.run('SELECT file, checksum, version FROM migrations');
  const migrations = applied.filter((row) => isMigration(String(row['file'])));
  const version = migrations.map((row) => String(row['version'])).reduce(newerVersion, '0.0.0');
  const stored = await database.run('SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?', [
    keyspace,
  ]);
  const names = new Set(stored.map((row) => String(row['table_name'])));
  const unknown = [...names].filter((name) => name !== 'migrations' && !(name in tableRoles));
  if (unknown.length > 0)
    throw new Error(
      `A backup must have all tables, but this version does not know ${unknown.join(', ')}. Take it by version ${version}.`,
    );
  return {
    keyspace,
    takenAt,
    version,
    migrations: Object.fromEntries(migrations.map((row) => [String(row['file']), String(row['checksum'])])),
    tables: tablesToBackUp.filter((table) => names.has(table)),
    nodes: await countNodes(database),
  };
}

/** How many nodes the data centre has that the servers use: each answers which others there are. */
async function countNodes(database: Database): Promise<number> {
  const [local] = await database.run('SELECT data_center FROM system.local');
  const others = await database.run('SELECT data_center FROM system.peers_v2');
  return 1 + others.filter((other) => other['data_center'] === local?.['data_center']).length;
}

/** Makes a folder that only its owner can read, and throws if it has anything. */
export async function makeEmptyFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  if ((await readdir(folder)).length > 0)
    throw new Error(`The folder of a backup must be empty, but ${folder} is not.`);
  await chmod(folder, 0o700);
}

/** Writes into a folder what the backup in it will be, once all is there. */
export async function beginBackup(folder: string, backup: Backup): Promise<void> {
  await writeFile(join(folder, UNFINISHED), `${JSON.stringify(backup, null, 2)}\n`);
}

/** Makes what is in a folder a backup. */
export async function completeBackup(folder: string): Promise<void> {
  await rename(join(folder, UNFINISHED), join(folder, FILE));
}

/**
 * Makes a backup of the copies of a cluster's nodes in a folder. Resolves to the names of the nodes. Throws if there are fewer than the
 * data centre had, or if the folder of one lacks a table or a file of it.
 */
export async function completeBackupOfNodes(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, UNFINISHED), 'utf8').catch(() => null);
  if (text === null) throw new Error(`${folder} must have ${UNFINISHED}, which npm run backup writes first.`);
  const { keyspace, tables, nodes: expected } = backupShape.parse(JSON.parse(text));
  const entries = await readdir(folder, { withFileTypes: true });
  const nodes = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (nodes.length < expected)
    throw new Error(
      `${folder} must have a folder for each of the ${expected} nodes, but has ${nodes.length === 0 ? 'none' : nodes.join(', ')}.`,
    );
  for (const node of nodes) {
    const missing: string[] = [];
    for (const table of tables)
      for (const file of await findMissingFiles(join(folder, node, keyspace, table)))
        missing.push(`${table}/${file}`);
    if (missing.length > 0)
      throw new Error(
        `The folder of ${node} must have all files of all tables, but lacks ${missing.slice(0, MAX_NAMED).join(', ')}${missing.length > MAX_NAMED ? ', …' : ''}.`,
      );
  }
  await completeBackup(folder);
  return nodes;
}

/**
 * Describes the commands for each node of a cluster. A snapshot does not wait for a flush that is under way, and would lack its rows, but
 * another flush does. The commands fail at a table of which DATA has no snapshot: each snapshot has a manifest, also of a table without
 * rows.
 */
export function describeNodeCommands({ keyspace, tables, takenAt, nodes }: Backup, folder: string): string {
  const name = `backup-${Date.parse(takenAt)}`;
  return `On each of the ${nodes} nodes of the data centre, at about the same time, where DATA is its folder of data and NODE its name:

  set -e
  nodetool flush -- ${keyspace}
  nodetool snapshot -t ${name} -kt ${tables.map((table) => `${keyspace}.${table}`).join(',')}
  for t in ${tables.join(' ')}; do
    mkdir -p "${folder}/NODE/${keyspace}/$t"
    for s in DATA/${keyspace}/$t-*/snapshots/${name}; do
      if [ -d "$s" ]; then cp -r "$s/." "${folder}/NODE/${keyspace}/$t/"; fi
    done
    ls "${folder}/NODE/${keyspace}/$t/${MANIFEST}"
  done
  nodetool clearsnapshot -t ${name} -- ${keyspace}

When the folders of all ${nodes} nodes are there:

  npm run backup -- "${folder}" --complete

`;
}

/**
 * Reads the manifest of the backup in a folder. Throws if there is none, or if its tables are not those that the files of `cql` make: the
 * version that took it restores it, and a start of a later version upgrades the restored tables.
 */
export async function readBackup(folder: string, cql: string): Promise<Backup> {
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => null);
  if (text === null)
    throw new Error(
      `${folder} must be a whole backup, but has no ${FILE}: npm run backup did not end, or made it elsewhere.`,
    );
  const backup = backupShape.parse(JSON.parse(text));
  const files = new Map(readMigrations(cql).map(({ name, checksum }) => [name, checksum]));
  const others = new Set([...files.keys(), ...Object.keys(backup.migrations)]);
  const different = [...others].filter((name) => files.get(name) !== backup.migrations[name]);
  if (different.length > 0)
    throw new Error(
      `The backup is of version ${backup.version}, whose tables are not those of this version, ${readVersion(cql)} (${different.join(', ')}). Restore it by version ${backup.version}; a start of this version then upgrades it.`,
    );
  return backup;
}

/** Finds those of the tables that have rows. */
export async function findFilled(database: Database, tables: readonly string[]): Promise<string[]> {
  const filled: string[] = [];
  for (const table of tables)
    if ((await database.run(`SELECT * FROM ${table} LIMIT 1`)).length > 0) filled.push(table);
  return filled;
}
