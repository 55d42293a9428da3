import { askEachProcess, isOneOfSeveral } from './kit/base/each-process';
import { catalogue } from './kit/base/errors';
import type { Database } from './kit/cassandra/database';
import type { Gate } from './kit/reads/gate';
import type { ReadCache } from './kit/reads/read-cache';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { InvertedIndex } from './kit/postings/inverted-index';
import type { QueueWaits, Refusal } from './kit/http/admission';
import type { Kept } from './kit/base/kept';
import { createWaits, type Waits } from './kit/base/waits';
import type { Answered } from './kit/http/server-options';
import type { LiveObserver } from './kit/subscriptions/live-services';
import { measureStatements } from './statement-metrics';
import { measureTasks } from './task-metrics';
import { taskKinds } from './app';
import type { UserQuotas, WriteServices } from './write/write-services';

/** Every reason of a refusal. Each is exported from the start, with the value 0. */
const REFUSALS: readonly Refusal[] = [
  'event_loop_delay',
  'heap',
  'buffers',
  'waiting_requests',
  'points',
  'mutations',
  'pair',
  'requests',
  'subscriptions',
  'sockets',
  'pages',
];

/** The metrics of a server. */
interface Metrics {
  readonly contentType: string;
  /** Counts a GraphQL request that was answered, how long it took, and the codes of its errors. */
  answered(this: void, answer: Answered): void;
  /** Counts a GraphQL request that was refused because of load or rate limits. */
  refused(this: void, reason: Refusal): void;
  /** The waits in the server's queues. */
  readonly waits: QueueWaits;
  /** Shows further caches, by their names. */
  keeps(this: void, caches: Readonly<Record<string, Kept>>): void;
  /** Counts subscriptions. */
  readonly live: LiveObserver;
  /** All metrics in the Prometheus text format; those of all server processes that share the port, if there are several. */
  text(this: void): Promise<string>;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function countCacheableReads(registers: Registry[], cache: ReadCache | null): void {
  new Counter({
    name: 'murmuration_cacheable_reads_total',
    help: 'Reads of rows that may be seconds old: hits came from what this server had kept, misses from Cassandra.',
    labelNames: ['result'],
    registers,
    collect() {
      const { hits, misses } = cache?.counts() ?? { hits: 0, misses: 0 };
      this.reset();
      this.inc({ result: 'hit' }, hits);
      this.inc({ result: 'miss' }, misses);
    },
  });
}

function countRefusalsOfQuotas(registers: Registry[], quotas: UserQuotas): void {
  new Counter({
    name: 'murmuration_quota_refused_total',
    help: 'Mutations that were refused because a quota of their user had too little left.',
    labelNames: ['quota'],
    registers,
    collect() {
      this.reset();
      for (const [quota, count] of quotas.refusals()) this.inc({ quota }, count);
    },
  });
}

function gaugeClock(registers: Registry[], database: Database): void {
  new Gauge({
    name: 'murmuration_clock_ahead_seconds',
    help: "By how much this machine's clock is ahead of Cassandra's; below 0 if it is behind.",
    aggregator: 'average',
    registers,
    collect() {
      this.set(database.clock.aheadMs() / 1000);
    },
  });
}

function gaugeIndexes(registers: Registry[], indexes: readonly InvertedIndex[]): void {
  new Gauge({
    name: 'murmuration_index_parts',
    help: 'Parts of an inverted index, which servers maintain at the same time: more of them after entries have come fast.',
    aggregator: 'max',
    labelNames: ['list'],
    registers,
    collect() {
      for (const index of indexes) this.set({ list: index.list }, index.size().parts);
    },
  });
  new Gauge({
    name: 'murmuration_index_segments',
    help: 'Segments of an inverted index, as this server last read them.',
    aggregator: 'max',
    labelNames: ['list'],
    registers,
    collect() {
      for (const index of indexes) this.set({ list: index.list }, index.size().segments);
    },
  });
  new Gauge({
    name: 'murmuration_index_unsealed_entries',
    help: 'Entries of an inverted index that are in no segment yet, which each server has in memory.',
    aggregator: 'max',
    labelNames: ['list'],
    registers,
    collect() {
      for (const index of indexes) this.set({ list: index.list }, index.size().unsealed);
    },
  });
  new Gauge({
    name: 'murmuration_index_unsealed_fullness',
    help: 'How much of the memory that they may take these entries take: from 0.5 on, each person may post or like 10 times a minute, from 1 on nobody.',
    aggregator: 'max',
    labelNames: ['list'],
    registers,
    collect() {
      for (const index of indexes) this.set({ list: index.list }, index.fullness());
    },
  });
}

function countSubscriptions(registers: Registry[]): LiveObserver {
  const open = new Gauge({
    name: 'murmuration_subscriptions_open',
    help: 'Subscriptions that are open on this server.',
    registers,
  });
  const sent = new Counter({
    name: 'murmuration_subscription_events_total',
    help: 'Events that were sent to subscriptions.',
    registers,
  });
  const ended = new Counter({
    name: 'murmuration_subscriptions_ended_total',
    help: 'Subscriptions that ended: by themselves (completed), by their clients (left), or with an error of a code.',
    labelNames: ['how'],
    registers,
  });
  for (const how of ['completed', 'left', ...Object.keys(catalogue)]) ended.inc({ how }, 0);
  return {
    opened() {
      open.inc();
    },
    sent() {
      sent.inc();
    },
    ended(how) {
      open.dec();
      ended.inc({ how });
    },
  };
}

/** Measures how much a server reads at once. */
function gaugeReads(registers: Registry[], gate: Gate): void {
  new Gauge({
    name: 'murmuration_partitions_in_flight',
    help: 'Partitions that GraphQL requests are reading now.',
    registers,
    collect() {
      this.set(gate.inFlight());
    },
  });
  new Gauge({
    name: 'murmuration_bytes_in_flight',
    help: 'The most bytes that the reads of now may have.',
    registers,
    collect() {
      this.set(gate.bytesInFlight());
    },
  });
  new Gauge({
    name: 'murmuration_requests_waiting_to_read',
    help: 'GraphQL requests with a read that waits, because this server already reads as much at once as it may.',
    registers,
    collect() {
      this.set(gate.waiting());
    },
  });
}

/** Shows how often requests and reads had to wait, by queue. */
function countWaits(registers: Registry[], queues: Readonly<Record<string, Readonly<Waits>>>): void {
  new Counter({
    name: 'murmuration_waits_total',
    help: 'How often work of a request had to wait: reads at the gate, documents for being prepared, requests for others of their caller.',
    labelNames: ['queue'],
    registers,
    collect() {
      this.reset();
      for (const [queue, { count }] of Object.entries(queues)) this.inc({ queue }, count);
    },
  });
  new Counter({
    name: 'murmuration_wait_seconds_total',
    help: 'For how many seconds together it had to wait.',
    labelNames: ['queue'],
    registers,
    collect() {
      this.reset();
      for (const [queue, { seconds }] of Object.entries(queues)) this.inc({ queue }, seconds);
    },
  });
}

/** Shows how much caches have. Returns what adds further ones. */
function gaugeCaches(registers: Registry[], cache: ReadCache | null): Metrics['keeps'] {
  const caches = new Map<string, Kept>(cache ? [['rows', cache.kept]] : []);
  new Gauge({
    name: 'murmuration_cache_entries',
    help: 'Entries that a cache of this server has: rows, documents that clients have sent, operations that were compiled.',
    labelNames: ['cache'],
    registers,
    collect() {
      for (const [name, kept] of caches) this.set({ cache: name }, kept.entries());
    },
  });
  new Gauge({
    name: 'murmuration_cache_bytes',
    help: 'Bytes that these entries take, about.',
    labelNames: ['cache'],
    registers,
    collect() {
      for (const [name, kept] of caches) this.set({ cache: name }, kept.bytes());
    },
  });
  return (more) => {
    for (const [name, kept] of Object.entries(more)) caches.set(name, kept);
  };
}

/** Counts answers by operation. */
function countOperations(registers: Registry[]): (answer: Answered) => void {
  const durations = new Histogram({
    name: 'murmuration_operation_duration_seconds',
    help: 'Duration of GraphQL requests by the name of the trusted operation; all others together are "other".',
    labelNames: ['operation'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'murmuration_operation_errors_total',
    help: 'GraphQL requests with an error of a code in the answer, by the name of the trusted operation.',
    labelNames: ['operation', 'code'],
    registers,
  });
  return ({ operation, seconds, codes }) => {
    durations.observe({ operation }, seconds);
    for (const code of codes) errors.inc({ operation, code });
  };
}

/** Creates the metrics of one server. Several servers of a process have separate metrics. */
export function createMetrics(
  { database, outbox, shedding, quotas }: Pick<WriteServices, 'database' | 'outbox' | 'shedding' | 'quotas'>,
  gate: Gate,
  cache: ReadCache | null,
  indexes: readonly InvertedIndex[],
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  measureTasks(registers, outbox, taskKinds, shedding);
  gaugeReads(registers, gate);
  countCacheableReads(registers, cache);
  gaugeClock(registers, database);
  gaugeIndexes(registers, indexes);
  measureStatements(registers, database.statements);
  const waits = { prepare: createWaits(), caller: createWaits() };
  countWaits(registers, { ...waits, gate: gate.waits });
  const countOperation = countOperations(registers);
  const requests = new Histogram({
    name: 'murmuration_graphql_request_duration_seconds',
    help: 'Duration of GraphQL requests by HTTP status, from the first byte until the answer.',
    labelNames: ['status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: 'murmuration_graphql_refused_total',
    help: 'GraphQL requests that were refused because the server had too much to do or the caller asked for too much.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of REFUSALS) refusals.inc({ reason }, 0);
  countRefusalsOfQuotas(registers, quotas);
  const errors = new Counter({
    name: 'murmuration_graphql_errors_total',
    help: 'GraphQL requests with an error of a code in the answer; a request counts once for each code.',
    labelNames: ['code'],
    registers,
  });
  for (const code of Object.keys(catalogue)) errors.inc({ code }, 0);
  return {
    contentType: registry.contentType,
    waits,
    keeps: gaugeCaches(registers, cache),
    answered(answer) {
      const { status, seconds, codes } = answer;
      countOperation(answer);
      requests.observe({ status }, seconds);
      for (const code of codes) errors.inc({ code });
    },
    refused(reason) {
      refusals.inc({ reason });
    },
    live: countSubscriptions(registers),
    text: createText(registry),
  };
}

/** Creates what writes a server's metrics or, of several server processes, those of all together: counts are added, ages are the greatest. */
function createText(registry: Registry): () => Promise<string> {
  if (!isOneOfSeveral) return () => registry.metrics();
  const ask = askEachProcess('metrics', () => registry.getMetricsAsJSON());
  return async () => {
    const { answers, processes, restarts } = await ask();
    const all = AggregatorRegistry.aggregate<typeof registry.contentType>([...answers]);
    const registers = [all];
    new Gauge({
      name: 'murmuration_workers_ready',
      help: 'Server processes of this machine that are ready.',
      registers,
    }).set(answers.length);
    new Gauge({
      name: 'murmuration_workers',
      help: 'Server processes that this machine should have.',
      registers,
    }).set(processes);
    new Counter({
      name: 'murmuration_worker_restarts_total',
      help: 'Server processes of this machine that ended and were started again.',
      registers,
    }).inc(restarts);
    return all.metrics();
  };
}
