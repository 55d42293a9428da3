import { Argument, InvalidArgumentError } from 'commander';
import { tables } from '../app';
import { jobs } from '../jobs/all';
import { findId, keepingIds } from '../jobs/find-id';
import type { Verified } from '../jobs/verify';
import { deletionReceipts } from '../features/account/account.table';
import { receiptOf } from '../features/account/receipt';
import { createLoad } from '../kit/reads/load';
import { isId } from '../kit/base/ids';
import type { Database } from '../kit/cassandra/database';
import { createCommand } from './command';
import { runCommand, withDatabase } from './run-command';

/** How many rows of a table are compared in each direction by default. */
const DEFAULT_SAMPLE_ROWS = 1000;

/** Compares samples of derived tables with their sources. The exit status is 0 if nothing differs, 1 if something does. */
async function main(): Promise<number> {
  const names = jobs.map(({ name }) => name);
  const command = createCommand('npm run verify --')
    .description(
      'Compares samples of derived tables with their sources, in both directions, and reports differences.',
    )
    .option(
      '--sample <rows>',
      'how many rows of a table to compare in each direction',
      rowsIn,
      DEFAULT_SAMPLE_ROWS,
    )
    .option(
      '--user <id>',
      'instead, look for the id of a user in every table that can hold it, to prove that a deletion left nothing',
      userIdIn,
    )
    .addArgument(
      new Argument('[table...]', 'the tables to compare; all derived tables by default').choices(names),
    )
    .addHelpText(
      'after',
      '\nExit status: 0 nothing differs, or nothing has the id; 1 something does; 2 failure.',
    )
    .parse();
  const { sample, user } = command.opts<{ sample: number; user?: string }>();
  if (user !== undefined) {
    if (command.args.length > 0) command.error('--user looks in all tables: name none.');
    return withDatabase((database) => findUser(database, user), { asItIs: true, isQuiet: true });
  }
  return withDatabase(async (database, config) => {
    const context = {
      database,
      retentionMonths: config.timelineRetentionMonths,
    };
    const selected = jobs.filter(({ name }) => command.args.length === 0 || command.args.includes(name));
    process.stdout.write(formatLine(['table', 'compared', 'missing', 'surplus', 'different']));
    const drifting: string[] = [];
    for (const job of selected) {
      const found = await job.verify(context, sample);
      const { looked, missing, surplus, different, examples } = found;
      process.stdout.write(formatLine([job.name, looked, missing, surplus, different]));
      for (const example of examples) process.stdout.write(`  ${example}\n`);
      if (isDrifting(found)) drifting.push(job.name);
    }
    if (drifting.length === 0) return 0;
    process.stdout.write(`To repair: npm run rebuild -- ${drifting.join(' ')}\n`);
    return 1;
  });
}

/** Looks for the id of a user in every table. The exit status is 0 if nothing has it but what is kept. */
async function findUser(database: Database, id: string): Promise<number> {
  const receipt = await createLoad(database)(deletionReceipts.get, { receipt: receiptOf(id) });
  if (receipt)
    process.stdout.write(
      `This account was deleted: asked for ${receipt.requestedAt.toISOString()}, begun ${receipt.startedAt.toISOString()}, complete ${receipt.finishedAt.toISOString()}. Rows removed: ${receipt.counts}\n`,
    );
  process.stdout.write(formatLine(['table', 'read by', 'rows read', 'have it']));
  const having: string[] = [];
  for await (const found of findId(database, tables, { type: 'User', id })) {
    const why = keepingIds[found.table];
    process.stdout.write(formatLine([found.table, found.isByKey ? 'key' : 'scan', found.looked, found.rows]));
    if (found.rows === 0) continue;
    if (why === undefined) having.push(found.table);
    for (const example of found.examples) process.stdout.write(`  ${example}\n`);
    if (why !== undefined) process.stdout.write(`  kept: ${why}\n`);
  }
  process.stdout.write(
    having.length === 0
      ? `No table has the id ${id}, but for what is kept.\n`
      : `Found in ${having.join(', ')}.\n`,
  );
  return having.length === 0 ? 0 : 1;
}

function isDrifting({ missing, surplus, different }: Verified): boolean {
  return missing + surplus + different > 0;
}

function formatLine([name = '', ...figures]: readonly (string | number)[]): string {
  return `${String(name).padEnd(26)}${figures.map((figure) => String(figure).padStart(11)).join('')}\n`;
}

/** Parses the value of `--user`. */
function userIdIn(value: string): string {
  if (isId(value)) return value;
  throw new InvalidArgumentError('It must be a userId, such as 42.');
}

/** Parses the value of `--sample`. */
function rowsIn(value: string): number {
  const rows = Number(value);
  if (Number.isInteger(rows) && rows >= 1 && rows <= 1_000_000) return rows;
  throw new InvalidArgumentError('It must be a number from 1 to 1,000,000.');
}

runCommand(main);
