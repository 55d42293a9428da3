import { describeStatus, readStatus } from '../status/status';
import { createCommand } from './command';
import { runCommand, withDatabase } from './run-command';

/** Prints the servers of a database and their tasks. The exit status is 0, or 1 if the database cannot be reached. */
async function main(): Promise<number> {
  const command = createCommand('npm run status --')
    .description(
      'Shows which servers are alive, which tasks are not completed, and how old the oldest task is.',
    )
    .option('--json', 'print one line of JSON')
    .addHelpText('after', '\nExit status: 0 the database answered, 1 it did not.')
    .parse();
  const { json } = command.opts<{ json?: true }>();
  return withDatabase(
    async (database) => {
      const status = await readStatus(database);
      process.stdout.write(json ? `${JSON.stringify(status)}\n` : describeStatus(status));
      return 0;
    },
    { asItIs: true, isQuiet: true },
  );
}

runCommand(main, 1);
