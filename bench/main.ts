import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import { createCommand } from '../src/commands/command';
import { countWarnings } from './cassandra-warnings';
import { compareAbuse } from './compare-abuse';
import { compareBounds } from './compare-bounds';
import { compareDiscovery, compareUnspaced } from './compare-discovery';
import { compareGrowth } from './compare-growth';
import { compareImports } from './compare-imports';
import { compareLikes } from './compare-likes';
import { compareLive } from './compare-live';
import { compareMixed } from './compare-mixed';
import { compareNews } from './compare-news';
import { compareOrdinary, comparePages } from './compare-pages';
import { comparePosts } from './compare-posts';
import { comparePostgres } from './compare-postgres';
import { compareQueries } from './compare-queries';
import { compareRequests } from './compare-requests';
import { compareScale } from './compare-scale';
import { compareSharing } from './compare-sharing';
import { compareSociety } from './compare-society';
import { compareTombstones } from './compare-tombstones';
import { compareTweetImports } from './compare-tweet-imports';
import { say, type Section } from './measure';
import { higgs, readNetwork } from './network';
import { openNodes } from './nodes';
import { createStage, type Stage } from './stage';

type Comparison = (stage: Stage) => Promise<Section | readonly Section[]>;

const comparisons: Readonly<Record<string, readonly Comparison[]>> = {
  imports: [compareImports, compareTweetImports],
  queries: [compareQueries, compareOrdinary],
  pages: [comparePages],
  writes: [compareRequests, comparePosts, compareLikes, compareNews, compareMixed],
  discovery: [compareDiscovery, compareUnspaced],
  postgres: [comparePostgres],
  sharing: [compareSharing],
  growth: [compareGrowth],
  abuse: [compareAbuse],
  live: [compareLive],
  bounds: [compareBounds],
  tombstones: [compareTombstones],
  society: [compareSociety],
  requests: [compareRequests],
  scale: [compareScale],
};

/** Comparisons that take so long that they run only if they are named. */
const LONG = ['sharing', 'growth', 'abuse', 'live', 'bounds', 'tombstones', 'society', 'requests', 'scale'];
/** The most servers for scale. */
const MAX_SERVERS = 6;
/** The most minutes of a soak: the tokens of its people are valid for a day. */
const MAX_SOAK_MINUTES = 1400;
/** The most acts a second of a soak: with more, its people would reach their limits. */
const MAX_RATE = 200;

interface Options {
  readonly brief?: true;
  readonly follows: string;
  readonly tweets?: number;
  readonly only?: string;
  readonly data?: string;
  readonly keyspace?: string;
  readonly servers?: number;
  readonly nodes: number;
  readonly soak?: number;
  readonly rate: number;
}

/** Reads what to compare, and how, from the command line. */
function parseCommand(): Command {
  return createCommand('npm run bench --')
    .description(
      'Compares this server with the raw driver and PostgreSQL, side by side, on temporary databases.',
    )
    .addArgument(
      new Argument(
        '[what...]',
        'what to compare; everything except sharing, growth, abuse, live, bounds, tombstones, society, requests and scale by default',
      ).choices(Object.keys(comparisons)),
    )
    .option(
      '--tweets <n>',
      'how many tweets to generate for discovery, or to grow to; rows to make and remove for tombstones',
      wholeNumber,
    )
    .option(
      '--only <text>',
      'run only the attacks or the tables, or ask PostgreSQL only the questions, whose names contain this text',
    )
    .option(
      '--data <folder>',
      'ask for pages of the database in this folder, such as `data`, not of a generated one',
    )
    .option('--keyspace <name>', 'the keyspace of that database', 'murmuration')
    .option(
      '--servers <n>',
      `how many servers to go up to for scale, at most ${MAX_SERVERS}; by default as many as there are cores`,
      wholeNumberUpTo(MAX_SERVERS),
    )
    .option(
      '--nodes <n>',
      'how many nodes of Cassandra to start for scale, 1 or 3, each with a copy of all rows',
      oneOrThree,
      1,
    )
    .option(
      '--soak <minutes>',
      'for scale: let people do everything on two servers for so long, to see what grows',
      wholeNumberUpTo(MAX_SOAK_MINUTES),
    )
    .option(
      '--rate <n>',
      `for scale --soak: how many acts a second, at most ${MAX_RATE}`,
      wholeNumberUpTo(MAX_RATE),
      20,
    )
    .option('--brief', 'few and short rounds: to check that everything works, not for figures')
    .option(
      '--follows <path>',
      'a file of follows, "A B" on each line; generated if it does not exist',
      higgs,
    )
    .parse();
}

/** Runs the named comparisons with the raw driver or PostgreSQL, and prints medians and ratios. */
async function main(): Promise<void> {
  const command = parseCommand();
  const options = command.opts<Options>();
  const { data, servers, nodes, soak } = options;
  const names =
    command.args.length > 0 ? command.args : Object.keys(comparisons).filter((name) => !LONG.includes(name));
  if (data !== undefined && !['pages', 'bounds'].includes(names.join()))
    command.error('--data is for pages or bounds alone: other parts write.');
  if ((nodes > 1 || soak !== undefined || servers !== undefined) && names.join() !== 'scale')
    command.error('--servers, --nodes and --soak are for scale alone.');
  await compareOn(names, options);
}

/** Runs comparisons on a Cassandra of their own, or that of a folder, and prints and writes what they found. */
async function compareOn(names: readonly string[], options: Options): Promise<void> {
  const { brief = false, follows, tweets, only = '', data, keyspace, servers, nodes, soak, rate } = options;
  const folder = await mkdtemp(join(tmpdir(), 'murmuration-bench-'));
  const cassandra = await openNodes(data ?? folder, nodes);
  const end = async () => {
    await cassandra.release();
    await rm(folder, { recursive: true, force: true });
  };
  const interrupt = () => {
    void end().finally(() => process.exit(1));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    const network = await readNetwork(follows, folder);
    const { contactPoint, folders: nodeFolders } = cassandra;
    const given = data === undefined ? undefined : keyspace;
    const stage = createStage({
      ...{ contactPoint, nodeFolders, network, brief, tweets, only, given, servers },
      soak: { minutes: soak, rate },
    });
    const sections: Section[] = [];
    for (const compare of names.flatMap((name) => comparisons[name] ?? []))
      sections.push(...[await compare(stage)].flat());
    if (data === undefined) sections.push(await countWarnings(nodeFolders));
    await report({ network: network.name, node: process.version, brief, sections });
  } finally {
    await end();
  }
}

/** Prints results, and writes them to a file. */
async function report(results: { readonly sections: readonly Section[]; readonly [key: string]: unknown }) {
  for (const { title, lines } of results.sections) {
    console.log(`\n${title}`);
    console.table(lines);
  }
  const path = join(__dirname, '../../bench/results.json');
  await writeFile(path, `${JSON.stringify(results, null, 2)}\n`);
  say(`Written to ${path}`);
  const failures = results.sections.flatMap((section) => section.failures ?? []);
  for (const failure of failures) say(failure);
  if (failures.length > 0) process.exitCode = 1;
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

function wholeNumberUpTo(most: number): (text: string) => number {
  return (text) => {
    const number = wholeNumber(text);
    if (number > most) throw new InvalidArgumentError(`It must be at most ${most}.`);
    return number;
  };
}

function oneOrThree(text: string): number {
  if (text !== '1' && text !== '3') throw new InvalidArgumentError('It must be 1 or 3.');
  return Number(text);
}

void main();
