import { createProgress } from '../import/progress';
import { recount } from '../jobs/recount';
import { createCommand } from './command';
import { runCommand, withDatabase } from './run-command';

/** Counts again. The exit status is 0 if no count differed, 1 if some did and are repaired. */
async function main(): Promise<number> {
  createCommand('npm run recount --')
    .description(
      'Counts likes, shares, replies, followers, followees and tweets again from the rows while servers keep serving; prints and repairs the counts that differ.',
    )
    .addHelpText('after', '\nExit status: 0 no count differed, 1 some differed and are repaired, 2 failure.')
    .parse();
  return withDatabase(async (database) => {
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
    process.stdout.write(`${found} counts differed${found > 0 ? ' and are repaired' : ''}\n`);
    return found > 0 ? 1 : 0;
  });
}

runCommand(main);
