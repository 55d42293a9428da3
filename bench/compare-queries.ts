import autocannon from 'autocannon';
import { readConfig } from '../src/config';
import { signerFor } from '../src/token/tokens';
import { answering, startChild, type Child } from './child';
import { checkSame, countReads } from './check-queries';
import { CONNECTIONS, median, middle, round, say, type Line, type Measured, type Section } from './measure';
import { bodyOf, queries, type Query } from './queries';
import {
  environment,
  headersOfUsers,
  headersWith,
  serving,
  withDatabase,
  type Headers,
  type Stage,
} from './stage';

const ROUNDS = 5;
const SECONDS = 3;
const ports = { ours: 4801, raw: 4802, explaining: 4803 };

interface Taken {
  readonly query: Query;
  readonly ours: Measured[];
  readonly raw: Measured[];
  readonly least: Measured[];
}

/** Compares reads by GraphQL with the same reads by hand, in turns. `least` reads only the rows that the answer is made of. */
export async function compareQueries(stage: Stage): Promise<Section> {
  const { contactPoint, brief } = stage;
  const { keyspace, ...subjects } = await stage.filled();
  const env = environment(contactPoint, keyspace);
  const service = headersWith(await (await signerFor(readConfig(env), 'others')).forService());
  const own = await withDatabase(contactPoint, keyspace, (database) =>
    headersOfUsers(database, subjects.readers),
  );
  const headersOf = ({ by }: Query, id: string) => (by === 'service' ? service : (own.get(id) ?? service));
  const children = {
    ours: startChild('src/main.js', [], { ...env, PORT: String(ports.ours) }, serving),
    raw: startChild('bench/raw-server.js', [contactPoint, keyspace], { PORT: String(ports.raw) }, serving),
  };
  const taken: Taken[] = queries.map((query) => ({ query, ours: [], raw: [], least: [] }));
  try {
    await answering(`http://127.0.0.1:${ports.ours}/health/ready`);
    await answering(`http://127.0.0.1:${ports.raw}/A/${subjects.authors[0] ?? ''}`);
    for (const query of queries) {
      const id = subjects[query.of][0] ?? '';
      if (query.hasRaw) await checkSame(query, id, ports, headersOf(query, id));
    }
    const rounds = brief ? 1 : ROUNDS;
    for (let roundNumber = 0; roundNumber <= rounds; roundNumber++) {
      say(roundNumber === 0 ? 'Warming up' : `Queries, round ${roundNumber} of ${rounds}`);
      for (const { query, ours, raw, least } of taken) {
        const ids = subjects[query.of];
        const seconds = brief ? 1 : SECONDS;
        const requests = oursRequests(query, ids, (id) => headersOf(query, id));
        const measured = await load(children.ours, ports.ours, requests, seconds);
        if (roundNumber > 0) ours.push(measured);
        if (!query.hasRaw) continue;
        const raws = await load(children.raw, ports.raw, rawRequests(query.name, ids), seconds);
        if (roundNumber > 0) raw.push(raws);
        if (query.name !== 'H') continue;
        const leasts = await load(children.raw, ports.raw, rawRequests('M', ids), seconds);
        if (roundNumber > 0) least.push(leasts);
      }
    }
  } finally {
    await Promise.all([children.ours.stop(), children.raw.stop()]);
  }
  const reads = await explained(env, (query) => {
    const id = subjects[query.of][0] ?? '';
    return countReads(query, id, ports.explaining, headersOf(query, id));
  });
  return { title: 'Queries', lines: taken.map((one) => lineOf(one, taken, reads)) };
}

function lineOf({ query, ours, raw, least }: Taken, all: readonly Taken[], reads: Map<string, number>): Line {
  const mine = middle(ours);
  const home = all.find((one) => one.query.name === 'R')?.ours ?? [];
  return {
    what: `${query.name}: ${query.what}`,
    'ours /s': Math.round(mine.rate),
    'ours ms CPU': round(mine.cpu, 3),
    'reads of ours': reads.get(query.name) ?? NaN,
    ...(query.hasRaw && {
      'raw /s': Math.round(middle(raw).rate),
      'raw ms CPU': round(middle(raw).cpu, 3),
      ratio: round(mine.rate / middle(raw).rate),
    }),
    ...(least.length > 0 && { 'of the least': round(mine.rate / middle(least).rate) }),
    ...(query.name === 'V' && { 'of R': round(mine.rate / median(home.map(({ rate }) => rate))) }),
  };
}

/** Counts the requests to Cassandra of each query, by a separate server, because explaining costs time. */
async function explained(
  env: NodeJS.ProcessEnv,
  count: (query: Query) => Promise<number>,
): Promise<Map<string, number>> {
  const settings = { ...env, PORT: String(ports.explaining), EXPLAIN: 'everybody' };
  const server = startChild('src/main.js', [], settings, serving);
  try {
    await answering(`http://127.0.0.1:${ports.explaining}/health/ready`);
    const reads = new Map<string, number>();
    for (const query of queries) reads.set(query.name, await count(query));
    const more = (reads.get('V') ?? NaN) - (reads.get('R') ?? NaN);
    if (more > 2) throw new Error(`The viewer fields must cost at most two requests, but cost ${more}`);
    return reads;
  } finally {
    await server.stop();
  }
}

function oursRequests(
  query: Query,
  ids: readonly string[],
  headersOf: (id: string) => Headers,
): autocannon.Request[] {
  return ids.map((id) => ({
    method: 'POST',
    path: '/graphql',
    headers: headersOf(id),
    body: bodyOf(query, id),
  }));
}

function rawRequests(kind: string, ids: readonly string[]): autocannon.Request[] {
  return ids.map((id) => ({ method: 'GET', path: `/${kind}/${id}` }));
}

async function load(
  child: Child,
  port: number,
  requests: autocannon.Request[],
  duration: number,
): Promise<Measured> {
  const before = await child.cpu();
  const url = `http://127.0.0.1:${port}`;
  const result = await autocannon({ url, connections: CONNECTIONS, duration, requests });
  const cpu = (await child.cpu()) - before;
  if (result.non2xx + result.errors > 0) throw new Error(`${url} must answer every request, but did not`);
  return { rate: result.requests.total / result.duration, cpu: (cpu * 1000) / result.requests.total };
}
