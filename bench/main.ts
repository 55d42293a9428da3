import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { openEngine } from '../src/tools/embedded/engine';
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
import { compareSharing } from './compare-sharing';
import { compareSociety } from './compare-society';
import { compareTombstones } from './compare-tombstones';
import { compareTweetImports } from './compare-tweet-imports';
import { say, type Section } from './measure';
import { higgs, readNetwork } from './network';
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
};

/** Comparisons that take so long that they run only if they are named. */
const LONG = ['sharing', 'growth', 'abuse', 'live', 'bounds', 'tombstones', 'society', 'requests'];

interface Options {
  readonly brief?: true;
  readonly follows: string;
  readonly tweets?: number;
  readonly only?: string;
  readonly data?: string;
  readonly keyspace?: string;
}

/** Runs the named comparisons with the raw driver or PostgreSQL, and prints medians and ratios. */
async function main(): Promise<void> {
  const command = new Command('npm run bench --')
    .description(
      'Compares this server with the raw driver and PostgreSQL, side by side, on temporary databases.',
    )
    .addArgument(
      new Argument(
        '[what...]',
        'what to compare; everything except sharing, growth, abuse, live, bounds, tombstones, society and requests by default',
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
    .option('--brief', 'few and short rounds: to check that everything works, not for figures')
    .option(
      '--follows <path>',
      'a file of follows, "A B" on each line; generated if it does not exist',
      higgs,
    )
    .parse();
  const { brief = false, follows, tweets, only = '', data, keyspace } = command.opts<Options>();
  const names =
    command.args.length > 0 ? command.args : Object.keys(comparisons).filter((name) => !LONG.includes(name));
  if (data !== undefined && !['pages', 'bounds'].includes(names.join()))
    command.error('--data is for pages or bounds alone: other parts write.');
  const folder = await mkdtemp(join(tmpdir(), 'murmuration-bench-'));
  const engine = await openEngine({ dataDir: data ?? folder, asksForPassword: false, log: say });
  try {
    const network = await readNetwork(follows, folder);
    const contactPoint = engine.contactPoints[0] ?? '';
    const given = data === undefined ? undefined : keyspace;
    const stage = createStage({ contactPoint, network, brief, tweets, only, given });
    const sections: Section[] = [];
    for (const compare of names.flatMap((name) => comparisons[name] ?? []))
      sections.push(...[await compare(stage)].flat());
    if (data === undefined) sections.push(await countWarnings(folder));
    await report({ network: network.name, node: process.version, brief, sections });
  } finally {
    await engine.release();
    await rm(folder, { recursive: true, force: true });
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
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

void main();
