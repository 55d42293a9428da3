import { retry } from '../base/retry';
import { randomUUID } from 'node:crypto';
import { int, text } from '../cassandra/column';
import type { Database } from '../cassandra/database';
import { type Row, table } from '../cassandra/table';
import { unavailable } from '../base/errors';
import { readMany } from '../data/load';
import { SNOWFLAKE_EPOCH } from '../base/snowflake';

/** The servers that are alive. A row expires when its server does not renew it. */
export const workers = table(
  'workers',
  { part: int, worker: int, instance: text },
  { partition: ['part'], clustering: ['worker'], order: 'asc' },
);

/** A server among others: its number makes its ids unique. */
export interface Worker {
  /** Names this server until it ends; never given again. */
  readonly instance: string;
  /**
   * A new 64-bit id (Twitter's snowflake: 41 bits of milliseconds since November 2010, 10 of the worker, 12 counted up),
   * greater than those that this server gave before. Throws `UNAVAILABLE` while the server's number is not its own.
   */
  nextId(): string;
  /** Throws `UNAVAILABLE` while this server's work may have been taken over by others. */
  requireLease(): void;
  /** The servers that are alive, and whether this one is the first of them. */
  others(): Promise<{ readonly instances: ReadonlySet<string>; readonly isFirst: boolean }>;
  stop(): Promise<void>;
}

const MAX_WORKERS = 1024;

const MAX_IDS_PER_MS = 4096;

/** Milliseconds begin to count at one of these, in turn: partitions that are told by a remainder of ids are filled alike. */
const MAX_STARTS = 1024;

/**
 * Seconds for which a number is leased, and how often the lease is renewed. All leases are one partition, whose lightweight
 * transactions come one after another: a quarter of the number of servers each second, which is fine up to about a hundred.
 */
const LEASE_SECONDS = 15;

const RENEWAL_SECONDS = 4;

const MAX_TRIES = 6;

const take = 'INSERT INTO workers (part, worker, instance) VALUES (0, ?, ?) IF NOT EXISTS USING TTL ?';

const renew = 'UPDATE workers USING TTL ? SET instance = ? WHERE part = 0 AND worker = ? IF instance = ?';

const release = 'DELETE FROM workers WHERE part = 0 AND worker = ? IF instance = ?';

/** Leases a number of its own for this server and keeps it. */
export async function startWorker(database: Database): Promise<Worker> {
  const instance = randomUUID();
  let asked = performance.now();
  // A node may just have died: while the database does not answer, this is tried again.
  let number = await retry(
    () => {
      asked = performance.now();
      return takeNumber(database, instance);
    },
    (_error, attempts) => (attempts === MAX_TRIES ? null : 1000 * attempts),
  );
  let leasedUntil = asked + LEASE_SECONDS * 1000;
  let last = 0;
  let counted = 0;
  let start = 0;
  const keep = async () => {
    const asked = performance.now();
    const kept = await database.compareAndWrite([
      { query: renew, params: [LEASE_SECONDS, instance, number, instance] },
    ]);
    // A lease that ran out: the number may be another's by now.
    if (!kept) number = await takeNumber(database, instance);
    leasedUntil = asked + LEASE_SECONDS * 1000;
  };
  const timer = setInterval(() => void keep().catch(() => undefined), RENEWAL_SECONDS * 1000);
  timer.unref();
  const requireLease = () => {
    if (performance.now() > leasedUntil - 1000)
      throw unavailable(new Error('this server could not renew the lease of its number'));
  };
  return {
    instance,
    requireLease,
    nextId() {
      requireLease();
      const now = Date.now();
      // A clock that goes backwards is waited for by counting on.
      if (now > last) [last, counted] = [now, (start = (start + 1) % MAX_STARTS)];
      else if (++counted === MAX_IDS_PER_MS) [last, counted] = [last + 1, 0];
      return String((BigInt(last - SNOWFLAKE_EPOCH) << 22n) | (BigInt(number) << 12n) | BigInt(counted));
    },
    async others() {
      const alive = await readAlive(database);
      return {
        instances: new Set(alive.map((one) => one.instance)),
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
    if (taken.size === MAX_WORKERS) throw unavailable(new Error(`${MAX_WORKERS} servers are running`));
    let number = Math.floor(Math.random() * MAX_WORKERS);
    while (taken.has(number)) number = (number + 1) % MAX_WORKERS;
    if (await database.compareAndWrite([{ query: take, params: [number, instance, LEASE_SECONDS] }]))
      return number;
  }
}

/** The servers that are alive, with their numbers. */
export async function readAlive(database: Database): Promise<readonly Row<typeof workers>[]> {
  const [rows = []] = await readMany(database, workers.page, [{ part: 0, limit: MAX_WORKERS }]);
  return rows;
}
