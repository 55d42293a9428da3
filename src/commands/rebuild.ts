import { Argument, type Command } from 'commander';
import { createProgress } from '../import/progress';
import { jobs, derivationSources } from '../jobs/all';
import type { DerivationOptions } from '../write/derived-table';
import { createCommand } from './command';
import { runCommand, withDatabase } from './run-command';

const ALL = 'all';

/** Rebuilds the named tables. The exit status is 0 if all were rebuilt. */
async function main(): Promise<number> {
  const names = jobs.map(({ name }) => name);
  const command = createCommand('npm run rebuild --')
    .description(
      'Rebuilds derived tables from their sources while servers keep serving them: writes rows that are missing or different, removes rows without a source. If it is killed, run it again; it starts from the beginning.',
    )
    .addArgument(new Argument('<table...>', `one or more of ${names.join(', ')}; ${ALL} for all of them`))
    .addHelpText(
      'after',
      `\nTables that cannot be rebuilt:\n${Object.entries(derivationSources)
        .map(([name, why]) => `  ${name}: ${why}\n`)
        .join('')}\nExit status: 0 success, 2 failure: run it again; it starts from the beginning.`,
    )
    .parse();
  for (const name of command.args) if (name !== ALL) requireDerived(command, name, names);
  // In the order of the jobs, because counts come before what is derived from them.
  const requested = names.filter((name) => command.args.includes(ALL) || command.args.includes(name));
  return withDatabase(async (database, config) => {
    const context = {
      database,
      retentionMonths: config.timelineRetentionMonths,
    };
    for (const [index, name] of requested.entries())
      await rebuildOne(context, name, `${name} (${index + 1} of ${requested.length})`);
    return 0;
  });
}

/** Ends the command with a reason if `name` is not a derived table. */
function requireDerived(command: Command, name: string, names: readonly string[]): void {
  const reason = derivationSources[name];
  if (reason !== undefined) command.error(`${name} is not derived from other tables: ${reason}.`);
  if (!names.includes(name))
    command.error(`The table must be one of ${names.join(', ')}, or ${ALL}, but got: ${name}`);
}

/** Rebuilds a table, and shows its progress under a title. */
async function rebuildOne(context: DerivationOptions, name: string, title: string): Promise<void> {
  const job = jobs.find((table) => table.name === name);
  if (job === undefined) return;
  const progress = createProgress(process.stderr, Infinity, title);
  try {
    const { looked, written, removed, refused } = await job.rebuild(context, (rebuilt) => {
      progress.update(rebuilt.looked, rebuilt.looked, rebuilt.refused);
    });
    process.stdout.write(
      `${name}: compared ${looked}, wrote ${written}, removed ${removed}${refused > 0 ? `; could not repair ${refused}: other users have their names` : ''}\n`,
    );
  } finally {
    progress.end();
  }
}

runCommand(main);
