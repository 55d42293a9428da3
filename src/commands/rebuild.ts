import { Argument, Command } from 'commander';
import { createProgress } from '../import/progress';
import { createShardRouter } from '../kit/data/shards';
import { derivedTables, sources } from '../jobs/all';
import type { Deriving } from '../jobs/sources';
import { runJob } from '../jobs/run-job';

const ALL = 'all';

/** Rebuilds the tables that are named; the exit status is 0 when all is done. */
function main(): void {
  const names = derivedTables.map(({ name }) => name);
  const command = new Command('npm run rebuild --')
    .description(
      'Makes derived tables what the tables say that they come from, while servers serve: writes what is missing or different, removes what has no source. Killed and run again, it starts again.',
    )
    .addArgument(new Argument('<table...>', `one or several of ${names.join(', ')}; ${ALL} for all of them`))
    .addHelpText(
      'after',
      `\nNot to be rebuilt:\n${Object.entries(sources)
        .map(([name, why]) => `  ${name}: ${why}\n`)
        .join('')}\nExit status: 0 it is done, 2 it could not be finished: running it again starts again.`,
    )
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse();
  const asked = command.args.includes(ALL) ? names : [...new Set(command.args)];
  for (const name of asked) refuseUnknown(command, name, names);
  runJob(async (database, config) => {
    const deriving = {
      database,
      retentionMonths: config.timelineRetentionMonths,
      shardRouter: createShardRouter(database),
    };
    for (const name of asked) await rebuildOne(deriving, name);
    return 0;
  });
}

/** Ends where a table is not to be rebuilt, and says why. */
function refuseUnknown(command: Command, name: string, names: readonly string[]): void {
  const reason = sources[name];
  if (reason !== undefined) command.error(`${name} is derived from nothing: ${reason}.`);
  if (!names.includes(name))
    command.error(`The table must be one of ${names.join(', ')}, or ${ALL}, but got: ${name}`);
}

async function rebuildOne(deriving: Deriving, name: string): Promise<void> {
  const job = derivedTables.find((one) => one.name === name);
  if (job === undefined) return;
  const progress = createProgress(process.stderr, Infinity, name);
  try {
    const { looked, written, removed, refused } = await job.rebuild(deriving, (rebuilt) => {
      progress.update(rebuilt.looked, rebuilt.looked, rebuilt.refused);
    });
    process.stdout.write(
      `${name}: looked at ${looked}, wrote ${written}, removed ${removed}${refused > 0 ? `; ${refused} could not be mended: others have their names` : ''}\n`,
    );
  } finally {
    progress.end();
  }
}

main();
