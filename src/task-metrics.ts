import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Outbox } from './kit/work/outbox';
import type { Shedding } from './write/shedding';

const TASK_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1800];
/** How old, in milliseconds, the tasks of all servers may be that metrics show. */
const MAX_AGE_MS = 5000;
/** How long, in milliseconds, metrics wait for these: Prometheus takes a server for gone that has not answered after 10 seconds. */
const MAX_WAIT_MS = 3000;

/** Measures the tasks of a server, and those of all servers that share its database. */
export function measureTasks(
  registers: Registry[],
  outbox: Outbox,
  kinds: readonly string[],
  shedding: Shedding,
): void {
  new Gauge({
    name: 'murmuration_oldest_task_seconds',
    help: 'Age in seconds of the oldest task that this server has to complete; 0 when there is none.',
    aggregator: 'max',
    registers,
    collect() {
      this.set(secondsSince(outbox.backlog().oldest));
    },
  });
  new Gauge({
    name: 'murmuration_tasks_under_way',
    help: 'Tasks of mutations that this server has to complete.',
    registers,
    collect() {
      this.set(outbox.backlog().tasks);
    },
  });
  measureAll(registers, outbox, kinds);
  if (outbox.isQueueUp() !== null)
    new Gauge({
      name: 'murmuration_task_queue_up',
      help: '1 if the stream of NATS JetStream through which servers share tasks can be used, 0 if not.',
      aggregator: 'min',
      registers,
      collect() {
        this.set(outbox.isQueueUp() ? 1 : 0);
      },
    });
  new Counter({
    name: 'murmuration_tasks_redelivered_total',
    help: 'Tasks that NATS gave to this server after another server or attempt had them, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      const counts = outbox.redelivered();
      for (const kind of kinds) this.inc({ kind }, counts.get(kind) ?? 0);
    },
  });
  new Counter({
    name: 'murmuration_fanout_shed_total',
    help: 'Authors whom this server has begun to pull because a fan-out waited longer than FANOUT_SHED_AFTER_SECONDS.',
    registers,
    collect() {
      this.reset();
      this.inc(shedding.authors());
    },
  });
  const tasks = new Histogram({
    name: 'murmuration_task_duration_seconds',
    help: 'Time from when a task was enqueued, by any server, until this server completed it.',
    labelNames: ['kind'],
    buckets: TASK_SECONDS,
    registers,
  });
  outbox.onCompleted(({ kind, createdAt }) => {
    tasks.observe({ kind }, secondsSince(createdAt));
  });
}

function measureAll(registers: Registry[], outbox: Outbox, kinds: readonly string[]): void {
  // While the database does not answer, the other metrics are still shown.
  const pendingOf = () =>
    Promise.race([outbox.pending(MAX_AGE_MS).catch(() => null), sleep(MAX_WAIT_MS, null, { ref: false })]);
  new Gauge({
    name: 'murmuration_tasks_waiting',
    help: 'Tasks of all servers that are not completed, by kind.',
    aggregator: 'max',
    labelNames: ['kind'],
    registers,
    async collect() {
      const pending = await pendingOf();
      this.reset();
      for (const kind of pending ? kinds : []) this.set({ kind }, 0);
      for (const { kind } of pending ?? []) this.inc({ kind });
    },
  });
  new Gauge({
    name: 'murmuration_task_oldest_seconds',
    help: 'Age in seconds of the oldest task of all servers that is not completed, by kind; 0 when there is none.',
    aggregator: 'max',
    labelNames: ['kind'],
    registers,
    async collect() {
      const pending = await pendingOf();
      this.reset();
      const oldest = new Map(pending ? kinds.map((kind) => [kind, 0]) : []);
      for (const { kind, createdAt } of pending ?? [])
        oldest.set(kind, Math.max(oldest.get(kind) ?? 0, secondsSince(createdAt)));
      for (const [kind, seconds] of oldest) this.set({ kind }, seconds);
    },
  });
}

/** Seconds since a time; never negative, because the clock of the server that set the time may be ahead. */
function secondsSince(time: Date | null): number {
  return time === null ? 0 : Math.max(0, Date.now() - Number(time)) / 1000;
}
