import type { Gate } from './kit/data/gate';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Refusal } from './kit/http/admission';
import type { Outbox } from './kit/work/outbox';

/** Each is told from the start, at 0. */
const REFUSALS: readonly Refusal[] = [
  'event_loop_delay',
  'heap',
  'buffers',
  'waiting_requests',
  'points',
  'mutations',
  'pair',
  'requests',
];

/** What a server counts and measures of itself. */
export interface Metrics {
  readonly contentType: string;
  /** Counts a GraphQL request that was answered. */
  answered(this: void, status: number, seconds: number): void;
  /** Counts a GraphQL request that was refused for the load or a rate. */
  refused(this: void, reason: Refusal): void;
  /** All of it in the Prometheus text format. */
  text(this: void): Promise<string>;
}

const TASK_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1800];
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Makes the metrics of one server: several of a process share nothing. */
export function createMetrics(outbox: Outbox, gate: Gate): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'murmuration_fanout_lag_seconds',
    help: 'Since when the oldest piece of work that this server is finishing was begun; 0 when there is none.',
    registers,
    collect() {
      this.set(secondsSince(outbox.load().oldest));
    },
  });
  new Gauge({
    name: 'murmuration_tasks_under_way',
    help: 'Pieces of work that this server is finishing behind mutations.',
    registers,
    collect() {
      this.set(outbox.load().tasks);
    },
  });
  new Gauge({
    name: 'murmuration_partitions_in_flight',
    help: 'Partitions that GraphQL requests are reading.',
    registers,
    collect() {
      this.set(gate.inFlight());
    },
  });
  new Gauge({
    name: 'murmuration_requests_waiting_to_read',
    help: 'GraphQL requests of which a read waits, since this server reads as much at once as it may.',
    registers,
    collect() {
      this.set(gate.waiting());
    },
  });
  const tasks = new Histogram({
    name: 'murmuration_task_duration_seconds',
    help: 'From when a piece of work was begun, by whatever server, until it was done here.',
    labelNames: ['kind'],
    buckets: TASK_SECONDS,
    registers,
  });
  outbox.watch(({ kind, createdAt }) => {
    tasks.observe({ kind }, secondsSince(createdAt));
  });
  const requests = new Histogram({
    name: 'murmuration_graphql_request_duration_seconds',
    help: 'GraphQL requests by HTTP status, from their first byte until they were answered.',
    labelNames: ['status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: 'murmuration_graphql_refused_total',
    help: 'GraphQL requests that were refused because the server has too much to do, or the caller asked for too much.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of REFUSALS) refusals.inc({ reason }, 0);
  return {
    contentType: registry.contentType,
    answered(status, seconds) {
      requests.observe({ status }, seconds);
    },
    refused(reason) {
      refusals.inc({ reason });
    },
    text: () => registry.metrics(),
  };
}

/** Clocks of servers differ a little: what another one began is never in the future. */
function secondsSince(time: Date | null): number {
  return time === null ? 0 : Math.max(0, Date.now() - Number(time)) / 1000;
}
