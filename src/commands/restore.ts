import { join, resolve } from 'node:path';
import { findFilled, readBackup, type Backup } from '../jobs/backup';
import { readAlive } from '../kit/work/worker';
import { cql } from '../open';
import { importTables } from '../tools/embedded/snapshots';
import { createCommand } from './command';
import { runCommand, withDatabase } from './run-command';

/** The usual `gc_grace_seconds`. Tables with less have rows that expire, or that `rebuild` makes again. */
const MAX_MERGE_AGE_MS = 10 * 24 * 3_600_000;

interface RestoreOptions {
  readonly table?: string[];
  readonly merge?: true;
  readonly resurrect?: true;
}

/** Restores the tables of a backup. The exit status is 0 if all were restored. */
async function main(): Promise<number> {
  const command = createCommand('npm run restore --')
    .description(
      'Makes the tables, and puts the rows of a backup into those of an embedded Cassandra. Of a cluster, makes the tables and prints the commands for the rows.',
    )
    .argument('<folder>', 'the folder of the backup')
    .option('--table <name...>', 'restore these tables only, also while servers run')
    .option('--merge', 'restore into tables that have rows: of two values, the one written later stays')
    .option('--resurrect', 'merge also an old backup: what was deleted since may come back')
    .addHelpText('after', '\nExit status: 0 all was restored, 2 failure: nothing was restored, or not all.')
    .parse();
  const folder = resolve(command.args[0] ?? '');
  const { table: chosen, merge = false, resurrect = false } = command.opts<RestoreOptions>();
  const backup = await readBackup(folder, cql);
  if (merge && !resurrect && Date.now() - Date.parse(backup.takenAt) > MAX_MERGE_AGE_MS)
    command.error(
      `--merge must be of a backup of the last ten days, but this one is of ${backup.takenAt}. Cassandra forgets deletions after ten days, so what was deleted since may come back: --resurrect accepts that.`,
    );
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

/** Describes the commands for the folder of each node of a cluster. */
function describeLoading(
  backup: Backup,
  folder: string,
  tables: readonly string[],
  keyspace: string,
  contactPoints: readonly string[],
): string {
  return `The tables are made. For the folder of each NODE, with -u and -pw if Cassandra asks for a password, and -f CASSANDRA.YAML if it has other
ports or TLS:

  set -e
  for t in ${tables.join(' ')}; do
    s="${folder}/NODE/${backup.keyspace}/$t"
    test -d "$s"
    if ls "$s" | grep -q Data.db; then sstableloader -d ${contactPoints.join(',')} -k ${keyspace} "$s"; fi
  done

`;
}

runCommand(main);
