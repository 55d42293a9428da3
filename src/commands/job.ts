import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, Command } from 'commander';
import { createProgress, type Progress } from '../import/progress';
import type { Database } from '../kit/cassandra/database';
import { takeLease } from '../kit/data/lease';
import { RANKINGS, takeRankings } from '../jobs/rankings/take-rankings';
import { runJob } from '../jobs/run-job';

/** Milliseconds between attempts at a lease that another holds. */
const RETRY_PAUSE_MS = 500;

/** Each job by its name. */
const jobs: Readonly<Record<string, (database: Database) => Promise<void>>> = { rankings };

/** Runs a job; the exit status is 0 when it is done. */
function main(): void {
  const command = new Command('npm run job --')
    .description('Does once, and now, what servers do from time to time.')
    .addArgument(
      new Argument(
        '<job>',
        'rankings: takes the rankings of now, or goes on with those that were begun within the last hour',
      ).choices(Object.keys(jobs)),
    )
    .addHelpText(
      'after',
      '\nExit status: 0 it is done, 2 it could not be finished: running it again goes on.',
    )
    .allowExcessArguments(false)
    .parse();
  runJob(async (database) => {
    await jobs[command.args[0] ?? '']?.(database);
    return 0;
  });
}

/** Takes the rankings of now, when nobody else does. */
async function rankings(database: Database): Promise<void> {
  let lease = await takeLease(database, RANKINGS);
  if (lease === null) process.stderr.write('Waiting for those who are taking rankings now\n');
  while (lease === null) {
    await sleep(RETRY_PAUSE_MS);
    lease = await takeLease(database, RANKINGS);
  }
  let progress: Progress | undefined;
  const onProgress = (done: number, total: number) => {
    progress ??= createProgress(process.stderr, total, 'rankings', 'follows');
    progress.update(done, done, 0);
  };
  try {
    const { takenAt, accounts, followers } = await takeRankings({ database, onProgress }, lease);
    process.stdout.write(
      `${takenAt.toISOString()}: ${accounts.length} top accounts, ${followers.length} top followers\n`,
    );
  } finally {
    progress?.end();
    await lease.release();
  }
}

main();
