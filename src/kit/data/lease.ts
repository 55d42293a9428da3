import { randomUUID } from 'node:crypto';
import { optional, text } from '../cassandra/column';
import type { Database } from '../cassandra/database';
import { table } from '../cassandra/table';
import { unavailable } from '../base/errors';

/** Who does what one server at a time does, and how far it is. The holder expires when it is not renewed. */
export const leases = table(
  'leases',
  { name: text, holder: optional(text), progress: optional(text) },
  { partition: ['name'] },
);

/** The right to do a piece of work that one server at a time does. */
export interface Lease {
  /** What was kept last, by whoever held it; null where nothing was begun. */
  readonly progress: string | null;
  /** Keeps how far the work is, null when it is done. Throws `UNAVAILABLE` where another holds the lease by now. */
  keep(progress: string | null): Promise<void>;
  /** Lets others have it at once. */
  release(): Promise<void>;
}

/** Seconds for which a lease is good, and how often it is renewed. */
const LEASE_SECONDS = 15;
const RENEWAL_SECONDS = 4;

const take = 'UPDATE leases USING TTL ? SET holder = ? WHERE name = ? IF holder = null';
const renew = 'UPDATE leases USING TTL ? SET holder = ? WHERE name = ? IF holder = ?';
const keep = 'UPDATE leases SET progress = ? WHERE name = ? IF holder = ?';
const release = 'UPDATE leases SET holder = null WHERE name = ? IF holder = ?';
const read = 'SELECT progress FROM leases WHERE name = ?';

/** Takes a lease and renews it until it is released; null where another holds it. */
export async function takeLease(database: Database, name: string): Promise<Lease | null> {
  const holder = randomUUID();
  if (!(await database.compareAndWrite([{ query: take, params: [LEASE_SECONDS, holder, name] }]))) return null;
  const rows = (await database.readSerial(read, [name])) as Pick<Lease, 'progress'>[];
  const timer = setInterval(() => {
    const write = { query: renew, params: [LEASE_SECONDS, holder, name, holder] };
    database.compareAndWrite([write]).catch(() => false);
  }, RENEWAL_SECONDS * 1000);
  timer.unref();
  return {
    progress: rows[0]?.progress ?? null,
    async keep(progress) {
      if (!(await database.compareAndWrite([{ query: keep, params: [progress, name, holder] }])))
        throw unavailable(new Error(`the lease ${name} must be held here, but is another's`));
    },
    async release() {
      clearInterval(timer);
      await database.compareAndWrite([{ query: release, params: [name, holder] }]).catch(() => false);
    },
  };
}
