import { randomUUID } from 'node:crypto';
import { holding, label, optional, text } from '../cassandra/column';
import type { Database } from '../cassandra/database';
import { table } from '../cassandra/table';
import { unavailable } from '../base/errors';
import { keepRenewing, LEASE_SECONDS } from '../base/renewal';

/** The greatest size of a checkpoint in bytes. */
const MAX_CHECKPOINT_BYTES = 20_000;

/** The servers that do work which only one may do at a time, with their last checkpoints. The holder expires unless it is renewed. */
export const leases = table(
  'leases',
  { name: label, holder: optional(label), checkpoint: optional(holding(text(MAX_CHECKPOINT_BYTES), 'User')) },
  {
    role: { kind: 'transient', why: 'it says who does which work' },
    writeLoad: {
      // Every server tries to take a lease of work that is due, every ten seconds.
      rows: { server: 0.1 },
      transactions: { server: 0.1 },
      bytes: 60,
      spread: { over: 'nothing' },
      keptSeconds: LEASE_SECONDS,
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
  const renewal = { query: renew, params: [LEASE_SECONDS, holder, name, holder] };
  const stopRenewing = keepRenewing(() => database.compareAndWrite([renewal]));
  return {
    checkpoint: rows[0]?.checkpoint ?? null,
    async keep(checkpoint) {
      if (!(await database.compareAndWrite([{ query: keep, params: [checkpoint, name, holder] }])))
        throw unavailable(new Error(`this server must hold the lease ${name}, but has lost it`));
    },
    async release() {
      stopRenewing();
      await database.compareAndWrite([{ query: release, params: [name, holder] }]).catch(() => false);
    },
  };
}
