import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config';
import { startPlainLoad } from '../abuse/plain-load';
import type { Outcome } from '../abuse/send';
import { percentile, say, type Section } from '../measure';
import { cpuOfNodes } from '../nodes';
import { startServers, type ScaledServers } from '../scale/servers';
import { headersOfUsers, ordinary, withDatabase, type Headers, type Stage } from '../stage';
import { createActs, isWrite, type ActKind } from './acts';
import { quartersOf, rowsOf, type Sample, type Timed } from './curves';
import { createFailures, type Failures } from './failures';
import { createLedger, type Ledger } from './ledger';
import { castPeople, type People } from './people';
import { openCassandraSampler, type CassandraSampler } from './sample-cassandra';
import { sampleServer } from './sample-server';
import { subscribeAll } from './subscribers';

const SERVERS = 2;
const SAMPLE_EVERY_MS = 15_000;
const ROWS = 12;
/** How long, in milliseconds, subscriptions may take to open, and the last events to come. */
const MAX_WAIT_MS = 60_000;

/** Periodic work comes often enough for a run of half an hour to have some of each, merges of segments included. */
const settings = { SEAL_AFTER_SECONDS: '120', RANKINGS_EVERY_MINUTES: '5' };

/** Lets people do everything on two servers for some minutes, and shows whether what these and Cassandra use stays flat. */
export async function compareSoak(stage: Stage, minutes: number): Promise<Section[]> {
  const { contactPoint, nodeFolders } = stage;
  const { keyspace, ...filled } = await stage.small();
  const people = castPeople(filled, stage.soak.rate);
  const env = { ...ordinary(contactPoint, keyspace), ...settings };
  const { localDatacenter } = readConfig(env).cassandra;
  const everybody = [...new Set([...people.posters, ...people.readers, ...people.subscribers])];
  const headers = await withDatabase(contactPoint, keyspace, (database) =>
    headersOfUsers(database, everybody),
  );
  const cassandra = await openCassandraSampler(contactPoint, localDatacenter, keyspace);
  const servers = await startServers(env, SERVERS, ['--expose-gc']);
  try {
    return await soak({
      ...{ servers, cassandra, nodeFolders, people, headers, minutes },
      rate: stage.soak.rate,
    });
  } finally {
    await servers.stop();
    await cassandra.close();
  }
}

interface Soak {
  readonly servers: ScaledServers;
  readonly cassandra: CassandraSampler;
  readonly nodeFolders: readonly string[];
  readonly people: People;
  readonly headers: ReadonlyMap<string, Headers>;
  readonly minutes: number;
  readonly rate: number;
}

async function soak({
  servers,
  cassandra,
  nodeFolders,
  people,
  headers,
  minutes,
  rate,
}: Soak): Promise<Section[]> {
  const { ports } = servers;
  const ledger = createLedger();
  const failures = createFailures();
  const subscribed = subscribeAll(people, headers, ports, ledger, failures.add);
  await untilOpen(servers, subscribed.count);
  const times = { read: [] as number[], write: [] as number[] };
  const answered = (kind: ActKind, { status, code, milliseconds, text }: Outcome) => {
    if (status === 200 && code === null) times[isWrite(kind) ? 'write' : 'read'].push(milliseconds);
    else failures.add(`${kind} got status ${status} and ${code ?? 'no code'}: ${text.slice(0, 300)}`);
  };
  say(`${SERVERS} servers, ${subscribed.count} subscriptions, ${rate} acts a second for ${minutes} minutes`);
  const load = startPlainLoad(createActs({ people, headers, ports, ledger, answered }), rate);
  const samples: Timed[] = [];
  const started = performance.now();
  let cpu = await cpuOfNodes(nodeFolders);
  let sampledAt = started;
  for (let n = 1; n * SAMPLE_EVERY_MS <= minutes * 60_000; n++) {
    await sleep(Math.max(0, started + n * SAMPLE_EVERY_MS - performance.now()));
    const [now, used] = [performance.now(), await cpuOfNodes(nodeFolders)];
    const passed = (now - sampledAt) / 1000;
    const figures = {
      ...takeTimes(times, ledger, passed),
      'Cassandra cores': (used - cpu) / passed,
      ...(await sampleAll(servers, cassandra)),
    };
    [cpu, sampledAt] = [used, now];
    samples.push({ seconds: (now - started) / 1000, figures });
    if (n % 4 === 0)
      say(
        JSON.stringify({
          ...rowsOf(samples.slice(-4), Object.keys(figures), 1)[0],
          failures: failures.count(),
        }),
      );
  }
  const { sent } = await load.stop();
  for (const until = Date.now() + MAX_WAIT_MS; ledger.missing() > 0 && Date.now() < until;) await sleep(100);
  const worn = await cassandra.worn();
  await subscribed.close();
  return sectionsOf({ samples, sent, ledger, failures, worn });
}

/** Waits until the servers have begun all subscriptions: what is posted after that must come. */
async function untilOpen(servers: ScaledServers, count: number): Promise<void> {
  const until = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const samples = await Promise.all(servers.ports.map((_, index) => sampleServer(servers, index)));
    const open = samples.reduce((sum, { subscriptions = 0 }) => sum + subscriptions, 0);
    if (open === count) return;
    if (Date.now() > until) throw new Error(`${count} subscriptions must open, but only ${open} have.`);
    await sleep(200);
  }
}

/** The figures of the acts and events since the last call. */
function takeTimes(times: { read: number[]; write: number[] }, ledger: Ledger, seconds: number): Sample {
  const { read, write } = times;
  [times.read, times.write] = [[], []];
  return {
    'acts /s': (read.length + write.length) / seconds,
    'read p50 ms': percentile(read, 0.5),
    'read p99 ms': percentile(read, 0.99),
    'write p50 ms': percentile(write, 0.5),
    'write p99 ms': percentile(write, 0.99),
    'event p99 ms': percentile(ledger.takeDelays(), 0.99),
  };
}

/** What servers and Cassandra say of themselves. What is of one server has its number, from 1; the rest is the same on all. */
async function sampleAll(servers: ScaledServers, cassandra: CassandraSampler): Promise<Sample> {
  const figures: Record<string, number> = {};
  for (const index of servers.ports.keys()) {
    const { subscriptions: _, ...sample } = await sampleServer(servers, index);
    for (const [name, value] of Object.entries(sample)) {
      if (PER_SERVER.includes(name)) figures[`${name} ${index + 1}`] = value;
      else figures[name] = Math.max(value, figures[name] ?? 0);
    }
  }
  return { ...figures, ...(await cassandra.sample()) };
}

/** The figures of a server that do not tell of all servers together. */
const PER_SERVER = ['heap MB', 'memory MB', 'loop p99 ms', 'index tail'];

function sectionsOf({ samples, sent, ledger, failures, worn }: Ended): Section[] {
  const names = [...new Set(samples.flatMap(({ figures }) => Object.keys(figures)))];
  const isOfServers = (name: string) => /MB|loop|tail|segments|task s$|tasks waiting/.test(name);
  const lost = ledger.missing();
  const lines = [
    { what: 'acts', count: sent },
    { what: 'errors of acts and subscriptions', count: failures.count() },
    { what: 'events that subscribers should have been given', count: ledger.expected() },
    { what: 'events that they were not given', count: lost },
  ];
  return [
    {
      title: 'Soak: acts and Cassandra',
      lines: rowsOf(
        samples,
        names.filter((name) => !isOfServers(name)),
        ROWS,
      ),
    },
    { title: 'Soak: servers', lines: rowsOf(samples, names.filter(isOfServers), ROWS) },
    { title: 'Soak: means of the second and of the last quarter', lines: quartersOf(samples, names) },
    { title: 'Soak: tables whose reads passed the most tombstones', lines: worn },
    {
      title: 'Soak: what must not happen',
      lines,
      failures: [...failures.texts(), ...(lost > 0 ? [`All events must come, but ${lost} did not.`] : [])],
    },
  ];
}

interface Ended {
  readonly samples: readonly Timed[];
  readonly sent: number;
  readonly ledger: Ledger;
  readonly failures: Failures;
  readonly worn: Section['lines'];
}
