import { join, resolve } from 'node:path';
import { readConfig } from '../config';
import {
  beginBackup,
  completeBackup,
  completeBackupOfNodes,
  describeBackup,
  describeNodeCommands,
  makeEmptyFolder,
} from '../jobs/backup';
import { copyTables } from '../tools/embedded/snapshots';
import { createCommand } from './command';
import { requireDatabase, runCommand, withDatabase } from './run-command';

/** Backs up all tables but transient ones. */
async function main(): Promise<number> {
  const command = createCommand('npm run backup --')
    .description(
      'Copies the tables of an embedded Cassandra into a new folder while servers serve. For a cluster, it prints the commands for each node.',
    )
    .argument('<folder>', 'where to: a new or an empty folder')
    .option('--complete', 'check what the nodes of a cluster have copied, and make it a backup')
    .addHelpText(
      'after',
      '\nExit status: 0 the backup is whole (of a cluster, after --complete), 2 it is not.',
    )
    .parse();
  const folder = resolve(command.args[0] ?? '');
  if (command.opts<{ complete?: true }>().complete) {
    const nodes = await completeBackupOfNodes(folder);
    process.stdout.write(`${folder} is whole: it has the tables of ${nodes.join(', ')}\n`);
    return 0;
  }
  // Before a Cassandra is started, which takes half a minute.
  await requireDatabase(readConfig(process.env));
  await makeEmptyFolder(folder);
  return withDatabase(
    async (database, { cassandra: { contactPoints, keyspace }, dataDir }) => {
      const backup = await describeBackup(database, keyspace);
      await beginBackup(folder, backup);
      if (contactPoints !== null) {
        process.stdout.write(describeNodeCommands(backup, folder));
        return 0;
      }
      await copyTables({ dataDir, keyspace }, backup.tables, join(folder, keyspace));
      await completeBackup(folder);
      process.stdout.write(`${folder}: ${backup.tables.length} tables of ${backup.takenAt}\n`);
      return 0;
    },
    { asItIs: true, isQuiet: true },
  );
}

runCommand(main);
