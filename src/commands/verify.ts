import { Argument, Command, InvalidArgumentError } from 'commander';
import { createShardRouter } from '../kit/data/shards';
import { derivedTables } from '../jobs/all';
import type { Verified } from '../jobs/verify';
import { runJob } from '../jobs/run-job';

/** How many rows of a table are looked at each way, when nobody says. */
const DEFAULT_SAMPLE_ROWS = 1000;

/** Compares samples of derived tables with their sources; the exit status is 0 where nothing differs, 1 where something does. */
function main(): void {
  const names = derivedTables.map(({ name }) => name);
  const command = new Command('npm run verify --')
    .description(
      'Samples derived tables against the tables that they come from, both ways, and reports drift.',
    )
    .option('--sample <rows>', 'how many rows of a table to look at each way', rowsIn, DEFAULT_SAMPLE_ROWS)
    .addArgument(
      new Argument('[table...]', 'the tables to look at: all derived ones, when none is named').choices(
        names,
      ),
    )
    .addHelpText('after', '\nExit status: 0 nothing differs, 1 something does, 2 it could not be finished.')
    // Else what is asked for wrongly ends as what differs does.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse();
  const { sample } = command.opts<{ sample: number }>();
  runJob(async (database, config) => {
    const deriving = {
      database,
      retentionMonths: config.timelineRetentionMonths,
      shardRouter: createShardRouter(database),
    };
    const asked = derivedTables.filter(
      ({ name }) => command.args.length === 0 || command.args.includes(name),
    );
    process.stdout.write(lineOf(['table', 'looked at', 'missing', 'surplus', 'different']));
    const drifting: string[] = [];
    for (const job of asked) {
      const found = await job.verify(deriving, sample);
      const { looked, missing, surplus, different, examples } = found;
      process.stdout.write(lineOf([job.name, looked, missing, surplus, different]));
      for (const example of examples) process.stdout.write(`  ${example}\n`);
      if (isDrifting(found)) drifting.push(job.name);
    }
    if (drifting.length === 0) return 0;
    process.stdout.write(`Mend it: npm run rebuild -- ${drifting.join(' ')}\n`);
    return 1;
  });
}

function isDrifting({ missing, surplus, different }: Verified): boolean {
  return missing + surplus + different > 0;
}

function lineOf([name = '', ...figures]: readonly (string | number)[]): string {
  return `${String(name).padEnd(26)}${figures.map((one) => String(one).padStart(11)).join('')}\n`;
}

/** Reads a number of rows. */
function rowsIn(value: string): number {
  const rows = Number(value);
  if (Number.isInteger(rows) && rows >= 1 && rows <= 1_000_000) return rows;
  throw new InvalidArgumentError('It must be a number from 1 to 1,000,000.');
}

main();
