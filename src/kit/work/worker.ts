import { retry } from '../base/retry';
import { randomUUID } from 'node:crypto';
import { int, text } from '../cassandra/column';
import type { Database } from '../cassandra/database';
import { type Row, table } from '../cassandra/table';
import { unavailable } from '../base/errors';
import { readMany } from '../data/load';
import { SNOWFLAKE_EPOCH } from '../base/snowflake';

/** The servers that are alive. A row expires unless its server renews it. */
export const workers = table(
  'workers',
  { part: int, worker: int, instance: text },
  { partition: ['part'], clustering: ['worker'], order: 'asc' },
);

/** A server among others. It leases a number, which makes its ids unique. */
export interface Worker {
  /** A unique name of this run of the server. */
  readonly instance: string;
  /**
   * Creates a 64-bit id, greater than all that this server has created before. It is one of Twitter's snowflakes: 41 bits
   * of milliseconds since November 2010, 10 of the server's number, and 12 of a counter. Throws `UNAVAILABLE` while this
   * server's lease may have expired.
   */
  nextId(): string;
  /** Throws `UNAVAILABLE` while this server's lease may have expired, so that others may have taken its tasks over. */
  requireLease(): void;
  /** Whether this server has the lease of its number for sure. Without it, mutations are `UNAVAILABLE`. */
  hasLease(this: void): boolean;
  /** Reads which servers are alive, and whether this one is the first of them. */
  others(): Promise<{ readonly instances: ReadonlySet<string>; readonly isFirst: boolean }>;
  stop(): Promise<void>;
}

const MAX_WORKERS = 1024;
const MAX_IDS_PER_MS = 4096;

/** In each new millisecond the counter starts one higher, below this: otherwise most ids would end alike and fill few shards. */
const MAX_STARTS = 1024;

/**
 * How long a number is leased, and how often the lease is renewed. All leases are in one partition, whose lightweight
 * transactions run one after another. A quarter of the servers renew each second, which is fine for up to about a hundred.
 */
const LEASE_SECONDS = 15;
const RENEWAL_SECONDS = 4;

const MAX_TRIES = 6;

const take = 'INSERT INTO workers (part, worker, instance) VALUES (0, ?, ?) IF NOT EXISTS USING TTL ?';
const renew = 'UPDATE workers USING TTL ? SET instance = ? WHERE part = 0 AND worker = ? IF instance = ?';
const release = 'DELETE FROM workers WHERE part = 0 AND worker = ? IF instance = ?';

/** Leases a number for this server, and renews the lease until the worker is stopped. */
export async function startWorker(database: Database): Promise<Worker> {
  const instance = randomUUID();
  // The lease is timed from before the request, because its row may expire that early.
  let attemptedAt = performance.now();
  // Retried while the database does not answer, because a node may just have died.
  let number = await retry(
    () => {
      attemptedAt = performance.now();
      return takeNumber(database, instance);
    },
    (_error, attempts) => (attempts === MAX_TRIES ? null : 1000 * attempts),
  );
  let leasedUntil = attemptedAt + LEASE_SECONDS * 1000;
  let last = 0;
  let counted = 0;
  let start = 0;
  const keep = async () => {
    const attemptedAt = performance.now();
    const isRenewed = await database.compareAndWrite([
      { query: renew, params: [LEASE_SECONDS, instance, number, instance] },
    ]);
    // The lease has run out, and another server may have the number by now.
    if (!isRenewed) number = await takeNumber(database, instance);
    leasedUntil = attemptedAt + LEASE_SECONDS * 1000;
  };
  const timer = setInterval(() => void keep().catch(() => undefined), RENEWAL_SECONDS * 1000);
  timer.unref();
  const hasLease = () => performance.now() <= leasedUntil - 1000;
  const requireLease = () => {
    if (!hasLease()) throw unavailable(new Error('this server could not renew the lease of its number'));
  };
  return {
    instance,
    requireLease,
    hasLease,
    nextId() {
      requireLease();
      const now = Date.now();
      // If the clock goes backwards, the counter goes on in the last millisecond.
      if (now > last) [last, counted] = [now, (start = (start + 1) % MAX_STARTS)];
      else if (++counted === MAX_IDS_PER_MS) [last, counted] = [last + 1, 0];
      return String((BigInt(last - SNOWFLAKE_EPOCH) << 22n) | (BigInt(number) << 12n) | BigInt(counted));
    },
    async others() {
      const alive = await readAlive(database);
      return {
        instances: new Set(alive.map((server) => server.instance)),
        isFirst: alive[0]?.instance === instance,
      };
    },
    async stop() {
      clearInterval(timer);
      leasedUntil = 0;
      await database.compareAndWrite([{ query: release, params: [number, instance] }]).catch(() => false);
    },
  };
}

async function takeNumber(database: Database, instance: string): Promise<number> {
  for (;;) {
    const taken = new Set((await readAlive(database)).map(({ worker }) => worker));
    if (taken.size === MAX_WORKERS)
      throw unavailable(new Error(`no server number is free: ${MAX_WORKERS} servers are running`));
    let number = Math.floor(Math.random() * MAX_WORKERS);
    while (taken.has(number)) number = (number + 1) % MAX_WORKERS;
    if (await database.compareAndWrite([{ query: take, params: [number, instance, LEASE_SECONDS] }]))
      return number;
  }
}

/** Reads the servers that are alive, with their numbers. */
export async function readAlive(database: Database): Promise<readonly Row<typeof workers>[]> {
  const [rows = []] = await readMany(database, workers.page, [{ part: 0, limit: MAX_WORKERS }]);
  return rows;
}
