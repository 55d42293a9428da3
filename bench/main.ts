import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import pino from 'pino';
import { readConfig } from '../src/config';
import { createStore } from '../src/import/store/store';
import { openEngine } from '../src/kit/embedded/engine';
import { monthOf } from '../src/kit/relay/buckets';
import { openDatabase } from '../src/open';
import { signerFor } from '../src/token/tokens';
import { answering, startChild, type Child } from './child';
import { generateTweets, higgs, readNetwork, type Network } from './network';
import { bodyOf, queries, type Query } from './queries';

const IMPORT_ROUNDS = 2;
const QUERY_ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 32;
const serving = ['--max-semi-space-size=64'];
const importing = ['--max-semi-space-size=16', '--max-old-space-size=200'];
const ports = { ours: 4801, raw: 4802 };

interface Measured {
  /** Requests, or rows of the file, each second. */
  readonly rate: number;
  /** CPU milliseconds of the serving process for each of them. */
  readonly cpu: number;
}

/** Runs every comparison in one run, side by side, and prints medians and ratios. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'murmuration-bench-'));
  const engine = await openEngine({ dataDir: folder, log: say });
  try {
    const contactPoint = engine.contactPoints[0] ?? '';
    const network = await readNetwork(higgs, folder);
    const imports = await compareImports(contactPoint, network);
    const served = await compareQueries(contactPoint, network);
    const rows = [imports, ...served].map(({ name, ours, raw, least }) => ({
      name,
      'ours /s': Math.round(ours.rate),
      'raw /s': Math.round(raw.rate),
      ratio: round(ours.rate / raw.rate),
      'ours ms CPU': round(ours.cpu, 3),
      'raw ms CPU': round(raw.cpu, 3),
      ...(least && { 'of the least': round(ours.rate / least.rate) }),
    }));
    console.table(rows);
    const path = join(__dirname, '../../bench/results.json');
    await writeFile(
      path,
      `${JSON.stringify({ network: network.name, node: process.version, rows }, null, 2)}\n`,
    );
    say(`Written to ${path}`);
  } finally {
    await engine.release();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Comparison {
  readonly name: string;
  readonly ours: Measured;
  readonly raw: Measured;
  readonly least?: Measured;
}

/** The whole file into fresh keyspaces, in this order and then the other way round. `least`: with all rows in memory. */
async function compareImports(contactPoint: string, network: Network): Promise<Comparison> {
  const seconds = { ours: [] as number[], raw: [] as number[], least: [] as number[] };
  for (let round = 0; round < IMPORT_ROUNDS; round++) {
    const order = ['ours', 'raw', 'least'] as const;
    for (const which of round % 2 === 0 ? order : order.toReversed()) {
      const keyspace = `${which}_${round}`;
      const env = environment(contactPoint, keyspace);
      await (await openDatabase(readConfig(env), pino({ level: 'silent' }))).close();
      say(`Importing the ${network.name} network: ${which}, round ${round + 1}`);
      const child =
        which === 'ours'
          ? startChild('src/import/main.js', [network.path], env, importing)
          : startChild(
              'bench/raw-writer.js',
              [contactPoint, keyspace, network.path, which === 'least' ? 'whole' : ''],
              env,
              [],
            );
      seconds[which].push(await child.ended());
    }
  }
  const measured = (taken: number[]) => ({ rate: network.edges.length / median(taken), cpu: NaN });
  return {
    name: 'import of follows',
    ours: measured(seconds.ours),
    raw: measured(seconds.raw),
    least: measured(seconds.least),
  };
}

async function compareQueries(contactPoint: string, network: Network): Promise<Comparison[]> {
  const env = environment(contactPoint, 'ours_0');
  const { tweets, ...people } = generateTweets(network);
  say(`Importing ${tweets.length} tweets`);
  const config = readConfig(env);
  const opened = await openDatabase(config, pino({ level: 'silent' }));
  const store = createStore(opened.database, config);
  for (let n = 0; n < tweets.length; n += 5000) await store.add(tweets.slice(n, n + 5000));
  await store.settle();
  await opened.close();

  const token = await (await signerFor(readConfig(env), 'others')).forService();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const month = String(monthOf(tweets[0]?.createdAt ?? new Date()));
  const children = {
    ours: startChild('src/main.js', [], { ...env, PORT: String(ports.ours) }, serving),
    raw: startChild(
      'bench/raw-server.js',
      [contactPoint, 'ours_0', month],
      { PORT: String(ports.raw) },
      serving,
    ),
  };
  try {
    await answering(`http://127.0.0.1:${ports.ours}/health/ready`);
    await answering(`http://127.0.0.1:${ports.raw}/A/${people.authors[0] ?? ''}`);
    for (const query of queries) await checkSame(query, people[query.of][0] ?? '', headers);
    const taken = queries.map((query) => ({
      query,
      ours: [] as Measured[],
      raw: [] as Measured[],
      least: [] as Measured[],
    }));
    for (let round = 0; round <= QUERY_ROUNDS; round++) {
      say(round === 0 ? 'Warming up' : `Queries, round ${round} of ${QUERY_ROUNDS}`);
      for (const { query, ours, raw, least } of taken) {
        const users = people[query.of];
        const measured = {
          ours: await load(children.ours, ports.ours, oursRequests(query, users, headers)),
          raw: await load(children.raw, ports.raw, rawRequests(query.name, users)),
          least:
            query.name === 'H' ? await load(children.raw, ports.raw, rawRequests('M', users)) : undefined,
        };
        if (round === 0) continue;
        ours.push(measured.ours);
        raw.push(measured.raw);
        if (measured.least) least.push(measured.least);
      }
    }
    return taken.map(({ query, ours, raw, least }) => ({
      name: `${query.name}: ${query.what}`,
      ours: middle(ours),
      raw: middle(raw),
      ...(least.length > 0 && { least: middle(least) }),
    }));
  } finally {
    await Promise.all([children.ours.stop(), children.raw.stop()]);
  }
}

type Headers = Readonly<Record<string, string>>;

function oursRequests(query: Query, users: readonly string[], headers: Headers): autocannon.Request[] {
  return users.map((userId) => ({ method: 'POST', path: '/graphql', headers, body: bodyOf(query, userId) }));
}

function rawRequests(kind: string, users: readonly string[]): autocannon.Request[] {
  return users.map((userId) => ({ method: 'GET', path: `/${kind}/${userId}` }));
}

async function load(child: Child, port: number, requests: autocannon.Request[]): Promise<Measured> {
  const before = await child.cpu();
  const url = `http://127.0.0.1:${port}`;
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, requests });
  const cpu = (await child.cpu()) - before;
  if (result.non2xx + result.errors > 0) throw new Error(`${url} must answer every request, but did not`);
  return { rate: result.requests.total / result.duration, cpu: (cpu * 1000) / result.requests.total };
}

/** Both answer with the same tweets, so that the same work is compared. */
async function checkSame(query: Query, userId: string, headers: Headers): Promise<void> {
  const body = bodyOf(query, userId);
  const ours = await fetch(`http://127.0.0.1:${ports.ours}/graphql`, { method: 'POST', headers, body });
  const raw = await fetch(`http://127.0.0.1:${ports.raw}/${query.name}/${userId}`);
  const { data } = (await ours.json()) as { data: { node: Record<string, { nodes: unknown[] }> } };
  const { nodes } = (await raw.json()) as { nodes: unknown[] };
  const [page] = Object.values(data.node);
  if (nodes.length !== 25 || JSON.stringify(page?.nodes) !== JSON.stringify(nodes)) {
    throw new Error(
      `${query.name} must have the same 25 tweets from both, but got: ${JSON.stringify(page?.nodes[0])} and ${JSON.stringify(nodes[0])}`,
    );
  }
}

function environment(contactPoint: string, keyspace: string): NodeJS.ProcessEnv {
  return {
    CASSANDRA_CONTACT_POINTS: contactPoint,
    CASSANDRA_KEYSPACE: keyspace,
    CASSANDRA_REPLICATION_FACTOR: '1',
    CASSANDRA_READ_CONSISTENCY: 'LOCAL_ONE',
    CASSANDRA_WRITE_CONSISTENCY: 'LOCAL_ONE',
    JWT_SECRET: 'that of the bench',
  };
}

function middle(measured: readonly Measured[]): Measured {
  return { rate: median(measured.map(({ rate }) => rate)), cpu: median(measured.map(({ cpu }) => cpu)) };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

function round(number: number, digits = 2): number {
  return Number(number.toFixed(digits));
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

void main();
