import autocannon from 'autocannon';
import { drive, hasErrors, type Ask } from '../drive';
import { CONNECTIONS, median, percentile } from '../measure';
import { cpuOfNodes } from '../nodes';
import { atPort, type ScaledServers } from './servers';

/** What a load gave, and what it took. */
export interface Load {
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds until an answer. */
  readonly p50: number;
  readonly p99: number;
  /** CPU milliseconds of the servers for each answer. */
  readonly cpu: number;
  /** How many cores the servers together, Cassandra, and the load generator itself used. */
  readonly serverCores: number;
  readonly cassandraCores: number;
  readonly generatorCores: number;
  readonly errors: number;
}

/** What is loaded. */
export interface Loaded {
  readonly servers: ScaledServers;
  readonly nodeFolders: readonly string[];
}

/** How many requests a connection repeats, because it takes time to prepare them. */
const REQUESTS = 100;

/** Sends requests over 32 connections to each server. The connections begin at different requests, so that they do not ask for the same at once. */
export async function loadReads(
  loaded: Loaded,
  requests: readonly autocannon.Request[],
  seconds: number,
): Promise<Load> {
  const { ports } = loaded.servers;
  let begun = 0;
  return measure(loaded, async () => {
    const times: number[] = [];
    const results = await Promise.all(
      ports.map((port) =>
        autocannon({
          url: atPort(port),
          connections: CONNECTIONS,
          duration: seconds,
          requests: requests.slice(0, 1),
          setupClient(client) {
            const from = Math.floor((begun++ * requests.length) / (CONNECTIONS * ports.length));
            client.setRequests([...requests, ...requests].slice(from, from + REQUESTS));
            client.on('response', (_status, _bytes, milliseconds) => times.push(milliseconds));
          },
          verifyBody: (body) => !hasErrors(String(body)),
        }),
      ),
    );
    return {
      answers: times.length,
      seconds: Math.max(...results.map(({ duration }) => duration)),
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      errors: results.reduce((sum, one) => sum + one.non2xx + one.errors + one.mismatches, 0),
    };
  });
}

/** Sends requests over 32 connections in all, to one server after another. */
export async function loadWrites(
  loaded: Loaded,
  next: () => Omit<Ask, 'kind' | 'port'>,
  seconds: number,
): Promise<Load> {
  const { ports } = loaded.servers;
  let sent = 0;
  return measure(loaded, async () => {
    let errors = 0;
    const ask = () => ({ ...next(), kind: 'write', port: ports[sent++ % ports.length] ?? 0 });
    const driven = await drive(ports[0] ?? 0, seconds, ask, CONNECTIONS, () => errors++);
    const times = driven.times.get('write') ?? [];
    return {
      answers: times.length,
      seconds: driven.seconds,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      errors,
    };
  });
}

interface Answered extends Pick<Load, 'p50' | 'p99' | 'errors'> {
  readonly answers: number;
  readonly seconds: number;
}

async function measure({ servers, nodeFolders }: Loaded, load: () => Promise<Answered>): Promise<Load> {
  const [server, cassandra, own] = [await servers.cpu(), await cpuOfNodes(nodeFolders), process.cpuUsage()];
  const { answers, seconds, p50, p99, errors } = await load();
  const used = process.cpuUsage(own);
  const [serverCpu, cassandraCpu] = [
    (await servers.cpu()) - server,
    (await cpuOfNodes(nodeFolders)) - cassandra,
  ];
  return {
    rate: answers / seconds,
    p50,
    p99,
    cpu: (serverCpu * 1000) / answers,
    serverCores: serverCpu / seconds,
    cassandraCores: cassandraCpu / seconds,
    generatorCores: (used.user + used.system) / 1e6 / seconds,
    errors,
  };
}

/** The median of each figure of several loads, and the sum of their errors. */
export function middleLoad(loads: readonly Load[]): Load {
  const middleOf = (figure: keyof Load) => median(loads.map((load) => load[figure]));
  return {
    rate: middleOf('rate'),
    p50: middleOf('p50'),
    p99: middleOf('p99'),
    cpu: middleOf('cpu'),
    serverCores: middleOf('serverCores'),
    cassandraCores: middleOf('cassandraCores'),
    generatorCores: middleOf('generatorCores'),
    errors: loads.reduce((sum, { errors }) => sum + errors, 0),
  };
}
