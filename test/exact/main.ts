import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { createCommand } from '../../src/commands/command';
import { readConfig, type Config } from '../../src/config';
import { importFile } from '../../src/import/import-file';
import { createRejects } from '../../src/import/rejects';
import { FileError } from '../../src/import/records/record';
import { createStore, type Store } from '../../src/import/store/store';
import { Summary } from '../../src/import/summary';
import { makeFolder } from '../../src/kit/base/make-folder';
import { openDatabase } from '../../src/open';
import { createServer } from '../../src/server';
import { taskHandlers } from '../../src/app';
import { openWriteServices } from '../../src/write/write-services';
import { describeDifference } from '../crash/differences';
import { wholeNumber } from '../support/whole-number';
import type { Ask, Examined } from './ask';
import { Crowd } from './crowd';
import { examine } from './examine';
import { examineRankings } from './examine-rankings';
import { Gatherer } from './known';
import { examineTrends, recentTweets } from './recent';
import { resealing } from './reseal';
import { takeSome } from './take';

/** A secret for processes that only maintain the index, and check no tokens. */
const UNUSED_SECRET = randomBytes(32).toString('base64url');

interface Options {
  readonly seed: number;
  readonly count: number;
  readonly only?: string;
}

/** Imports a folder into a new keyspace and asks the questions. Resolves to the exit status. */
async function main(): Promise<number> {
  const command = createCommand('npm run test:exact --')
    .description(
      'Compares the answers of the server with those found by going through every tweet of some files.',
    )
    .argument('<dir>', 'a folder of files to import')
    .option('--seed <n>', 'the seed of the questions', wholeNumber, 1)
    .option('--count <n>', 'how many questions to ask of each field', wholeNumber, 300)
    .option('--only <text>', 'ask only the fields whose names contain this text')
    .addHelpText('after', '\nExit status: 0 no differences, 1 some differences, 2 failure.')
    .parse();
  const [dir = ''] = command.args;
  const keyspace = `exact_${randomBytes(6).toString('hex')}`;
  const config = configOf(keyspace);
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const opened = await openDatabase(config, logger);
  try {
    const gatherer = new Gatherer();
    const crowd = new Crowd();
    const store = gathering(createStore(opened.database, config), gatherer, crowd);
    await importAll(dir, store);
    // Trends only count the last week, and the files are older.
    const recent = recentTweets(2000);
    await store.add(recent);
    await store.settle();
    crowd.applyFollows();
    const known = gatherer.known();
    say(`${known.length} tweets`);
    const writeServices = await openWriteServices(opened.database, config, logger);
    writeServices.outbox.start(taskHandlers(writeServices));
    const app = await createServer(writeServices, config, logger, { embedded: true });
    const ask = askOf(app);
    let differing = 0;
    const options = command.opts<Options>();
    const printExamined = ({ field, asked, items, refused, differences: { found } }: Examined) => {
      differing += found.length;
      const refusals = refused > 0 ? `, ${refused} correctly refused` : '';
      say(`${field}: ${asked} questions, ${items} items${refusals}, ${found.length} differences`);
      for (const difference of found.slice(0, 10)) say(`  ${describeDifference(difference)}`);
    };
    const tweetIds = known.map(({ tweetId }) => tweetId);
    const kills: boolean[] = [];
    const askAndReseal = resealing(ask, {
      database: opened.database,
      environment: { CASSANDRA_KEYSPACE: keyspace, DATA_DIR: config.dataDir, JWT_SECRET: UNUSED_SECRET },
      tweetIds,
      seed: options.seed,
      onKill: (isCut) => kills.push(isCut),
    });
    for await (const examined of examine(askAndReseal, known, options)) printExamined(examined);
    const cut = kills.filter(Boolean).length;
    say(`${kills.length} processes that sealed and merged were killed, ${cut} before they were done`);
    for await (const examined of examineTrends(ask, recent, options)) printExamined(examined);
    const taken = await takeSome(writeServices, crowd, { times: 5, changes: 60, seed: options.seed });
    for await (const examined of examineRankings(ask, taken, options)) printExamined(examined);
    await app.close();
    await writeServices.close();
    return known.length > 0 && differing === 0 ? 0 : 1;
  } finally {
    await opened.database.run(`DROP KEYSPACE IF EXISTS ${keyspace}`).catch(() => undefined);
    await opened.close();
  }
}

function configOf(keyspace: string): Config {
  return readConfig({
    JWT_SECRET: randomBytes(32).toString('base64url'),
    DATA_DIR: join('data', 'exact'),
    // All questions come from one address, and the process that asks is the one that answers.
    RATE_POINTS_PER_MINUTE: '0',
    RATE_REQUESTS_AT_ONCE: '0',
    SHED_EVENT_LOOP_MS: '0',
    SHED_HEAP_BYTES: '0',
    ...process.env,
    CASSANDRA_KEYSPACE: keyspace,
  });
}

/** Asks a server that runs in this process. */
function askOf(app: Awaited<ReturnType<typeof createServer>>): Ask {
  return async (query, variables) => {
    const headers = { 'content-type': 'application/json' };
    const payload = JSON.stringify({ query, variables });
    const { body } = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
    const { data, errors } = JSON.parse(body) as Partial<Awaited<ReturnType<Ask>>>;
    return { data, errors: errors ?? [] };
  };
}

async function importAll(dir: string, store: Store): Promise<void> {
  await makeFolder('data');
  const rejects = createRejects(join('data', 'exact-rejects.csv'));
  const summary = new Summary();
  for (const name of (await readdir(dir)).sort()) {
    const path = join(dir, name);
    try {
      await importFile(path, { store, rejects, summary });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      say(`${name}: ${error.message}`);
    }
  }
  await rejects.close();
}

/** Wraps a store so that every stored record is also added to the gatherer and the crowd. */
function gathering(store: Store, gatherer: Gatherer, crowd: Crowd): Store {
  return {
    ...store,
    async add(records) {
      const outcomes = await store.add(records);
      records.forEach((record, index) => {
        if (typeof outcomes[index] === 'object') return;
        gatherer.add(record);
        crowd.add(record);
      });
      return outcomes;
    },
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(2);
  },
);
