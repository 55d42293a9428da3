import { constants } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../kit/base/make-folder';
import { findMissingFiles, MANIFEST } from '../../kit/base/snapshot-files';
import { controlNode } from './control';
import { findNodes, readRecord } from './record';

/** The prefix of the names of the snapshots of backups. */
const SNAPSHOT = 'backup-';
/** After how long a snapshot is of a backup that was interrupted: others may still be copied. */
const ABANDONED_MS = 24 * 3_600_000;

/** The tables of a keyspace on an embedded node that runs. */
interface NodeTables {
  /** The folder of all data of the node, as `startEmbedded` takes it. */
  readonly dataDir: string;
  readonly keyspace: string;
}

/**
 * Copies tables into `folder/<table>`, each as it is at one moment, while clients read and write. All that was written to a table before the
 * call is in its copy. The tables are taken in the given order, within seconds. Throws if a copy lacks a file.
 */
export async function copyTables(
  { dataDir, keyspace }: NodeTables,
  tables: readonly string[],
  folder: string,
): Promise<void> {
  const data = join(dataDir, 'cassandra', 'data', keyspace);
  // A backup that was interrupted leaves links to files that compaction could remove otherwise.
  for (const left of await findAbandoned(data)) await controlNodeOf(dataDir, ['clear', left, keyspace]);
  const name = `${SNAPSHOT}${Date.now()}`;
  try {
    await controlNodeOf(dataDir, ['snapshot', name, keyspace, ...tables]);
    for (const table of tables) {
      await makeFolder(join(folder, table));
      // A table has one folder more for each time that it was dropped and created again.
      for (const stored of await readdir(data))
        if (stored.startsWith(`${table}-`))
          await copyFiles(join(data, stored, 'snapshots', name), join(folder, table));
      const missing = await findMissingFiles(join(folder, table));
      if (missing.length > 0)
        throw new Error(
          `The copy of ${table} must have all files of its snapshot, but lacks ${missing.join(', ')}.`,
        );
    }
  } finally {
    // If this fails, a later backup clears the snapshot.
    await controlNodeOf(dataDir, ['clear', name, keyspace]).catch(() => undefined);
  }
}

/** The names of the snapshots that interrupted backups have left in a keyspace. */
async function findAbandoned(data: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const table of await readdir(data))
    for (const name of await readdir(join(data, table, 'snapshots')).catch(() => []))
      if (name.startsWith(SNAPSHOT) && Date.now() - Number(name.slice(SNAPSHOT.length)) > ABANDONED_MS)
        names.add(name);
  return names;
}

/** Adds the rows and deletions of tables in `folder/<table>` to those of the tables. If two values differ, the one written later holds. */
export async function importTables(
  { dataDir, keyspace }: NodeTables,
  tables: readonly string[],
  folder: string,
): Promise<void> {
  const pairs = tables.flatMap((table) => [table, resolve(folder, table)]);
  await controlNodeOf(dataDir, ['import', keyspace, ...pairs]);
}

/** Copies the files of SSTables of a snapshot, and the list of them, if there is one. */
async function copyFiles(from: string, to: string): Promise<void> {
  const files = await readdir(from).catch(() => []);
  for (const file of files.filter((one) => /\.(db|crc32|txt)$/.test(one) || one === MANIFEST))
    await copyFile(join(from, file), join(to, file), constants.COPYFILE_FICLONE);
}

/** Asks the node of a folder of data, which must run: see `controlNode`. */
async function controlNodeOf(dataDir: string, words: readonly string[]): Promise<void> {
  const dir = join(resolve(dataDir), 'cassandra');
  const [node] = await findNodes(dir, await readRecord(dir));
  if (node === undefined) throw new Error(`The Cassandra of ${dir} must run, but does not`);
  await controlNode(node, words);
}
