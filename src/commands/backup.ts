import { join, resolve } from 'node:path';
import { describeBackup, makeEmptyFolder, writeBackup, type Backup } from '../jobs/backup';
import { cql } from '../open';
import { copyTables } from '../tools/embedded/snapshots';
import { createCommand } from './command';
import { runCommand, withDatabase } from './run-command';

/** Backs up all tables but passing ones. The exit status is 0 if the backup is whole. */
async function main(): Promise<number> {
  const command = createCommand('npm run backup --')
    .description(
      'Copies the tables of an embedded Cassandra into a new folder while servers serve. Of a cluster, writes down what a backup has, and prints the commands for each node.',
    )
    .argument('<folder>', 'where to: a new or an empty folder')
    .addHelpText('after', '\nExit status: 0 the backup is whole, 2 it is not.')
    .parse();
  const folder = resolve(command.args[0] ?? '');
  return withDatabase(
    async (database, { cassandra: { contactPoints, keyspace }, dataDir }) => {
      await makeEmptyFolder(folder);
      const backup = await describeBackup(database, keyspace, cql);
      if (contactPoints === null)
        await copyTables({ dataDir, keyspace }, backup.tables, join(folder, keyspace));
      else process.stdout.write(describeNodeCommands(backup, folder));
      await writeBackup(folder, backup);
      process.stdout.write(`${folder}: ${backup.tables.length} tables of ${backup.takenAt}\n`);
      return 0;
    },
    { asItIs: true, isQuiet: true },
  );
}

/** What to run on each node of a cluster. */
function describeNodeCommands({ keyspace, tables, takenAt }: Backup, folder: string): string {
  const name = `backup-${Date.parse(takenAt)}`;
  return `On every node, at about the same time, where DATA is its folder of data and NODE its name:

  nodetool snapshot -t ${name} -kt ${tables.map((table) => `${keyspace}.${table}`).join(',')}
  for t in ${tables.join(' ')}; do
    mkdir -p ${folder}/NODE/${keyspace}/$t && cp DATA/${keyspace}/$t-*/snapshots/${name}/* ${folder}/NODE/${keyspace}/$t/
  done
  nodetool clearsnapshot -t ${name} -- ${keyspace}

`;
}

runCommand(main);
