import { Command } from 'commander';
import { createProgress } from '../import/progress';
import { recount } from '../jobs/recount';
import { runJob } from '../jobs/run-job';

/** Counts again; the exit status is 0 when nothing differed, 1 when something did and is mended. */
function main(): void {
  new Command('npm run recount --')
    .description(
      'Counts likes, shares, replies, followers, followees and tweets again from the rows, while servers serve; prints and mends what differs.',
    )
    .addHelpText('after', '\nExit status: 0 nothing differed, 1 something did, 2 it could not be finished.')
    .allowExcessArguments(false)
    .parse();
  runJob(async (database) => {
    const progress = createProgress(process.stderr, Infinity, 'counted again', 'users and tweets');
    let found = 0;
    try {
      for await (const { kind, id, count, shown, counted } of recount(database, (done) => {
        progress.update(done, done, 0);
      })) {
        found++;
        process.stdout.write(`${kind} ${id}: ${count} was ${shown}, is ${counted}\n`);
      }
    } finally {
      progress.end();
    }
    process.stdout.write(`${found} counts differed${found > 0 ? ' and are mended' : ''}\n`);
    return found > 0 ? 1 : 0;
  });
}

main();
