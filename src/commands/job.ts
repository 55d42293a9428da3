import { setTimeout as sleep } from 'node:timers/promises';
import { Argument } from 'commander';
import { createProgress, type Progress } from '../import/progress';
import type { Database } from '../kit/cassandra/database';
import { takeLease } from '../kit/writes/lease';
import { RANKINGS, takeRankings } from '../jobs/rankings/take-rankings';
import { createCommand } from './command';
import { runCommand, withDatabase } from './run-command';

/** How long to wait before trying again to take a lease that a server holds. */
const RETRY_PAUSE_MS = 500;

/** The jobs by name. */
const jobs: Readonly<Record<string, (database: Database) => Promise<void>>> = { rankings };

/** Runs a job. The exit status is 0 if it succeeded. */
async function main(): Promise<number> {
  const command = createCommand('npm run job --')
    .description('Runs once, now, a job that servers run periodically.')
    .addArgument(
      new Argument(
        '<job>',
        'rankings: takes the rankings now, or continues those that were begun within the last hour',
      ).choices(Object.keys(jobs)),
    )
    .addHelpText('after', '\nExit status: 0 success, 2 failure: run it again to continue.')
    .parse();
  return withDatabase(async (database) => {
    await jobs[command.args[0] ?? '']?.(database);
    return 0;
  });
}

/** Takes the rankings, as soon as no server is taking them. */
async function rankings(database: Database): Promise<void> {
  let lease = await takeLease(database, RANKINGS);
  if (lease === null) process.stderr.write('Waiting for a server that is taking rankings\n');
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

runCommand(main);
