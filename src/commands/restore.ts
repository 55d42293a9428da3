import { join, resolve } from 'node:path';
import { findFilled, readBackup, type Backup } from '../jobs/backup';
import { readAlive } from '../kit/work/worker';
import { cql } from '../open';
import { importTables } from '../tools/embedded/snapshots';
import { createCommand } from './command';
import { runCommand, withDatabase } from './run-command';

/** Restores the tables of a backup. The exit status is 0 if all were restored. */
async function main(): Promise<number> {
  const command = createCommand('npm run restore --')
    .description(
      'Makes the tables, and puts the rows of a backup into those of an embedded Cassandra. Of a cluster, makes the tables and prints the commands for the rows.',
    )
    .argument('<folder>', 'the folder of the backup')
    .option('--table <name...>', 'restore these tables only, also while servers run')
    .option('--merge', 'restore into tables that have rows: of two values, the one written later stays')
    .addHelpText('after', '\nExit status: 0 all was restored, 2 failure: nothing was restored, or not all.')
    .parse();
  const folder = resolve(command.args[0] ?? '');
  const { table: chosen, merge = false } = command.opts<{ table?: string[]; merge?: true }>();
  const backup = await readBackup(folder, cql);
  const unknown = chosen?.filter((name) => !backup.tables.includes(name)) ?? [];
  if (unknown.length > 0)
    command.error(`--table must be of ${backup.tables.join(', ')}, but got: ${unknown.join(', ')}`);
  const tables = chosen ?? backup.tables;
  return withDatabase(
    async (database, { cassandra: { contactPoints, keyspace }, dataDir }) => {
      if (chosen === undefined && (await readAlive(database)).length > 0)
        throw new Error(
          'No server must run on the keyspace while all of it is restored, but one does. One that was killed is taken for alive for 15 seconds.',
        );
      const filled = merge ? [] : await findFilled(database, tables);
      if (filled.length > 0)
        throw new Error(
          `The tables must be empty, but these have rows: ${filled.join(', ')}. Restore into another keyspace, or use --merge.`,
        );
      if (contactPoints === null)
        await importTables({ dataDir, keyspace }, tables, join(folder, backup.keyspace));
      else process.stdout.write(describeLoading(backup, folder, tables, keyspace, contactPoints));
      process.stdout.write(
        `${contactPoints === null ? 'Restored' : 'To restore:'} ${tables.length} tables of ${backup.takenAt}.\nNow start a server, which completes the tasks that were left, and run:\n  npm run rebuild -- all\n  npm run verify\n`,
      );
      return 0;
    },
    { creates: true, isQuiet: true },
  );
}

/** What to run for the folder of each node of a cluster. */
function describeLoading(
  backup: Backup,
  folder: string,
  tables: readonly string[],
  keyspace: string,
  contactPoints: readonly string[],
): string {
  return `The tables are made. For the folder of each NODE:

  for t in ${tables.join(' ')}; do
    sstableloader -d ${contactPoints.join(',')} -k ${keyspace} ${folder}/NODE/${backup.keyspace}/$t
  done

`;
}

runCommand(main);
