import { join, resolve } from 'node:path';
import {
  beginBackup,
  completeBackup,
  completeBackupOfNodes,
  describeBackup,
  makeEmptyFolder,
  type Backup,
} from '../jobs/backup';
import { copyTables } from '../tools/embedded/snapshots';
import { createCommand } from './command';
import { runCommand, withDatabase } from './run-command';

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
  return withDatabase(
    async (database, { cassandra: { contactPoints, keyspace }, dataDir }) => {
      await makeEmptyFolder(folder);
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

/** What to run on each node of a cluster. */
function describeNodeCommands({ keyspace, tables, takenAt, nodes }: Backup, folder: string): string {
  const name = `backup-${Date.parse(takenAt)}`;
  return `On each of the ${nodes} nodes of the data centre, at about the same time, where DATA is its folder of data and NODE its name:

  set -e
  nodetool snapshot -t ${name} -kt ${tables.map((table) => `${keyspace}.${table}`).join(',')}
  for t in ${tables.join(' ')}; do
    mkdir -p "${folder}/NODE/${keyspace}/$t"
    for s in DATA/${keyspace}/$t-*/snapshots/${name}; do
      if [ -d "$s" ]; then cp -r "$s/." "${folder}/NODE/${keyspace}/$t/"; fi
    done
  done
  nodetool clearsnapshot -t ${name} -- ${keyspace}

When the folders of all ${nodes} nodes are there:

  npm run backup -- "${folder}" --complete

`;
}

runCommand(main);
