import { randomUUID } from 'node:crypto';
import { holding, label, optional, text } from '../cassandra/column';
import type { Database } from '../cassandra/database';
import { table } from '../cassandra/table';
import { unavailable } from '../base/errors';

/** The greatest size of a checkpoint in bytes. */
const MAX_CHECKPOINT_BYTES = 20_000;

/** Which server does the work that only one may do at a time, and its last checkpoint. The holder expires unless it is renewed. */
export const leases = table(
  'leases',
  { name: label, holder: optional(label), checkpoint: optional(holding(text(MAX_CHECKPOINT_BYTES), 'User')) },
  {
    role: { kind: 'transient', why: 'it says who does which work' },
    load: {
      // Every server tries to take a lease of work that is due, every ten seconds.
      rows: { server: 0.1 },
      transactions: { server: 0.1 },
      bytes: 60,
      spread: { over: 'nothing' },
      keptSeconds: 15,
    },
    partition: ['name'],
  },
);

/** The right to do work that only one server may do at a time. */
export interface Lease {
  /** The last checkpoint of any holder; null if the work has not begun or was completed. */
  readonly checkpoint: string | null;
  /** Stores a checkpoint, or null when the work is completed. Rejects with `UNAVAILABLE` if this server has lost the lease. */
  keep(checkpoint: string | null): Promise<void>;
  /** Gives the lease up, so that another server can take it at once. */
  release(): Promise<void>;
}

/** How long a lease lasts, and how often it is renewed. */
const LEASE_SECONDS = 15;
const RENEWAL_SECONDS = 4;

const take = 'UPDATE leases USING TTL ? SET holder = ? WHERE name = ? IF holder = null';
const renew = 'UPDATE leases USING TTL ? SET holder = ? WHERE name = ? IF holder = ?';
const keep = 'UPDATE leases SET checkpoint = ? WHERE name = ? IF holder = ?';
const release = 'UPDATE leases SET holder = null WHERE name = ? IF holder = ?';
const read = 'SELECT checkpoint FROM leases WHERE name = ?';

/** Takes a lease and renews it until it is released. Resolves to null if another server holds it. */
export async function takeLease(database: Database, name: string): Promise<Lease | null> {
  const holder = randomUUID();
  if (!(await database.compareAndWrite([{ query: take, params: [LEASE_SECONDS, holder, name] }])))
    return null;
  const rows = (await database.readSerial(read, [name])) as Pick<Lease, 'checkpoint'>[];
  const timer = setInterval(() => {
    const write = { query: renew, params: [LEASE_SECONDS, holder, name, holder] };
    database.compareAndWrite([write]).catch(() => false);
  }, RENEWAL_SECONDS * 1000);
  timer.unref();
  return {
    checkpoint: rows[0]?.checkpoint ?? null,
    async keep(checkpoint) {
      if (!(await database.compareAndWrite([{ query: keep, params: [checkpoint, name, holder] }])))
        throw unavailable(new Error(`this server must hold the lease ${name}, but has lost it`));
    },
    async release() {
      clearInterval(timer);
      await database.compareAndWrite([{ query: release, params: [name, holder] }]).catch(() => false);
    },
  };
}
