import { retry } from '../base/retry';
import { randomUUID } from 'node:crypto';
import { int, label, optional } from '../cassandra/column';
import type { Database } from '../cassandra/database';
import { type Row, table } from '../cassandra/table';
import { elapsedSince, takeMoment, type Moment } from '../base/elapsed';
import { unavailable } from '../base/errors';
import { keepRenewing, LEASE_SECONDS } from '../base/renewal';
import { readMany } from '../reads/load';
import { MAX_SERVERS, SNOWFLAKE_EPOCH } from '../base/snowflake';

/** The servers that have a number. One row a partition, so that leases of different numbers do not wait for each other. */
export const serverNumbers = table(
  'server_numbers',
  { number: int, instance: optional(label) },
  {
    role: { kind: 'transient', why: 'it says which server has which number' },
    writeLoad: {
      rows: { server: 0.25 },
      transactions: { server: 0.25 },
      bytes: 40,
      spread: { over: 'acts' },
      keptSeconds: LEASE_SECONDS,
    },
    partition: ['number'],
  },
);

/** How often a server looks whether others are silent, at most: see `pauseOfReaders`. */
export const LOOK_EVERY_MS = 700;

/** The servers that are alive. Each writes its row every second; one that is not written expires with the server's lease. */
export const servers = table(
  'servers',
  { shard: int, instance: label, number: optional(int), heartbeat: optional(int), waiting: optional(int) },
  {
    role: { kind: 'transient', why: 'it says which servers are alive' },
    writeLoad: {
      rows: { server: 1 },
      bytes: 80,
      spread: { over: 'nothing' },
      keptSeconds: 1,
      reads: { everySeconds: LOOK_EVERY_MS / 1000, isPaced: true },
    },
    partition: ['shard'],
    clustering: ['instance'],
    order: 'asc',
  },
);

/** The servers that share a database, as one of them sees them. */
export interface Others {
  /** The servers that may have their lease. The tasks of all others are left. */
  readonly instances: ReadonlySet<string>;
  /** The servers among them that have written nothing for some seconds: they may be dead, or only slow. */
  readonly silent: ReadonlySet<string>;
  /** Whether this server is the first of those that run tasks and are not silent. */
  readonly isFirst: boolean;
  /** How many others run tasks and have none that waits. */
  readonly idle: number;
}

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
  /** The number of this server, below `MAX_SERVERS`. It has another one after its lease has run out. */
  number(this: void): number;
  /** Throws `UNAVAILABLE` while this server's lease may have expired, so that others may have taken its tasks over. */
  requireLease(): void;
  /** Whether this server has the lease of its number for sure. Without it, mutations are `UNAVAILABLE`. */
  hasLease(this: void): boolean;
  /**
   * The moment since which others have known this server to be alive without a break, on the clock of `performance.now()`. Nobody has
   * completed a task for it that it has had since then.
   */
  aliveSince(): number;
  /** Reads which servers are alive. */
  others(): Promise<Others>;
  /** Whether another server was alive and not silent when `others` was called last. */
  isHeard(instance: string): boolean;
  /** How many other servers ran tasks and were not silent when `others` was called last. */
  helpers(this: void): number;
  /** Tells other servers, with the next heartbeat, how many tasks wait here; null if this server runs none, as an import. */
  reportWaiting(tasks: number | null): void;
  stop(): Promise<void>;
}

const MAX_IDS_PER_MS = 4096;

/** The counter starts one higher in each new millisecond, up to this: otherwise most ids would end alike and fill few shards. */
const MAX_STARTS = 1024;

/** A lease with less time left counts as ended: what is sent now arrives later. */
const MARGIN_MS = 1000;
/** How often a server writes that it is alive. */
const HEARTBEAT_MS = 1000;
/**
 * A server is silent for another one that has seen the same heartbeat for this long, by its own clock, while so many
 * heartbeats of its own were stored: if they were not, the database is slow, and not the server.
 */
const SILENT_AFTER_MS = 1800;
const OWN_HEARTBEATS = 2;

const MAX_TRIES = 6;

const take = 'INSERT INTO server_numbers (number, instance) VALUES (?, ?) IF NOT EXISTS USING TTL ?';
const renew = 'UPDATE server_numbers USING TTL ? SET instance = ? WHERE number = ? IF instance = ?';
const release = 'DELETE FROM server_numbers WHERE number = ? IF instance = ?';
const writeHeartbeat =
  'UPDATE servers USING TTL ? SET number = ?, heartbeat = ?, waiting = ? WHERE shard = 0 AND instance = ?';
const leave = 'DELETE FROM servers WHERE shard = 0 AND instance = ?';

/**
 * Leases a number for this server, and renews the lease until the worker is stopped. While this machine's clock is wrong, it has no
 * lease, and takes one when the clock is right.
 */
export async function startWorker(database: Database): Promise<Worker> {
  const instance = randomUUID();
  const lease = await leaseNumber(database, instance);
  let waiting: number | null = null;
  let helpers = 0;
  let heard: ReadonlySet<string> = new Set();
  const heartbeats = await startHeartbeats(database, instance, () => [lease.number(), waiting]);
  const nextId = createIds(lease.number);
  const observe = createObserver(instance);
  const hasLease = () =>
    database.clock.problem() === null && Math.min(lease.leftMs(), heartbeats.leftMs()) >= MARGIN_MS;
  const requireLease = () => {
    database.clock.requireRight();
    if (!hasLease()) throw unavailable(new Error('this server could not renew the lease of its number'));
  };
  return {
    instance,
    number: lease.number,
    requireLease,
    hasLease,
    nextId() {
      requireLease();
      return nextId();
    },
    aliveSince: () => heartbeats.since(),
    helpers: () => helpers,
    isHeard: (other) => heard.has(other),
    async others() {
      const alive = await readAlive(database);
      const silent = observe(alive);
      silent.delete(instance);
      const running = alive.filter((server) => server.waiting !== null && !silent.has(server.instance));
      const helping = running.filter((server) => server.instance !== instance);
      helpers = helping.length;
      heard = new Set(alive.flatMap((server) => (silent.has(server.instance) ? [] : [server.instance])));
      return {
        instances: new Set(alive.map((server) => server.instance)),
        silent,
        isFirst: running[0]?.instance === instance,
        idle: helping.filter((server) => server.waiting === 0).length,
      };
    },
    reportWaiting(tasks) {
      waiting = tasks;
    },
    async stop() {
      await heartbeats.stop();
      await lease.stop();
    },
  };
}

/** Creates ids of a server's number, each greater than the one before. */
function createIds(number: () => number): () => string {
  let last = 0;
  let counted = 0;
  let start = 0;
  return () => {
    const now = Date.now();
    // If the clock goes backwards, the counter goes on in the last millisecond.
    if (now > last) [last, counted] = [now, (start = (start + 1) % MAX_STARTS)];
    else if (++counted === MAX_IDS_PER_MS) [last, counted] = [last + 1, 0];
    return String((BigInt(last - SNOWFLAKE_EPOCH) << 22n) | (BigInt(number()) << 12n) | BigInt(counted));
  };
}

/** Something that lasts for the time of a lease, and is renewed until it is stopped. */
interface Renewed {
  /** How many milliseconds it still lasts; 0 or less if it may have ended. */
  leftMs(): number;
  stop(): Promise<void>;
}

/** The milliseconds that are left of a lease that was asked for at this moment; 0 if there is none. */
function leftOf(leasedAt: Moment | null): number {
  return leasedAt === null ? 0 : LEASE_SECONDS * 1000 - elapsedSince(leasedAt);
}

async function leaseNumber(
  database: Database,
  instance: string,
): Promise<Renewed & { readonly number: () => number }> {
  // The lease is timed from before the request, because its row may expire that early.
  let attemptedAt = takeMoment();
  // Retried while the database does not answer, because a node may just have died.
  let number: number;
  let leasedAt: Moment | null = null;
  try {
    number = await retry(
      () => {
        attemptedAt = takeMoment();
        return takeNumber(database, instance);
      },
      (_error, attempts) =>
        attempts === MAX_TRIES || database.clock.problem() !== null ? null : 1000 * attempts,
    );
    leasedAt = attemptedAt;
  } catch (error) {
    if (database.clock.problem() === null) throw error;
    // The server starts without a lease, and takes one as soon as its clock is right: it has none to renew.
    number = 0;
  }
  const keep = async () => {
    const renewedAt = takeMoment();
    const isRenewed = await database.compareAndWrite([
      { query: renew, params: [LEASE_SECONDS, instance, number, instance] },
    ]);
    // The lease has run out, and another server may have the number by now.
    if (!isRenewed) number = await takeNumber(database, instance);
    leasedAt = renewedAt;
  };
  const stopRenewing = keepRenewing(keep);
  return {
    number: () => number,
    leftMs: () => leftOf(leasedAt),
    async stop() {
      stopRenewing();
      leasedAt = null;
      await database.compareAndWrite([{ query: release, params: [number, instance] }]).catch(() => false);
    },
  };
}

/** Writes at intervals that a server is alive. The row of a server that stops writing expires no earlier than its lease. */
async function startHeartbeats(
  database: Database,
  instance: string,
  state: () => readonly [number: number, waiting: number | null],
): Promise<Renewed & { readonly since: () => number }> {
  let storedAt: Moment | null = null;
  let aliveSince = 0;
  let count = 0;
  const store = async () => {
    const attemptedAt = takeMoment();
    const [number, waiting] = state();
    await database.write(writeHeartbeat, [LEASE_SECONDS, number, count++, waiting, instance]);
    // Until now, the row may have been expired.
    if (leftOf(storedAt) <= 0) aliveSince = performance.now();
    storedAt = attemptedAt;
  };
  await store().catch((error: unknown) => {
    if (database.clock.problem() === null) throw error;
  });
  let storing: Promise<void> | undefined;
  // While the database does not answer, no further heartbeats are piled up.
  const timer = setInterval(() => {
    storing ??= store()
      .catch(() => undefined)
      .finally(() => (storing = undefined));
  }, HEARTBEAT_MS).unref();
  return {
    leftMs: () => leftOf(storedAt),
    since: () => aliveSince,
    async stop() {
      clearInterval(timer);
      storedAt = null;
      // A heartbeat that comes after the removal would bring the row back.
      await storing;
      await database.write(leave, [instance]).catch(() => undefined);
    },
  };
}

/** The last heartbeat of a server, when it was first seen, and the heartbeat of the observer at that time. */
interface Seen {
  readonly heartbeat: number | null;
  readonly since: number;
  readonly ownHeartbeat: number;
}

/** Creates a function that is given the servers alive again and again, and returns those that are silent. */
function createObserver(observer: string): (alive: readonly Row<typeof servers>[]) => Set<string> {
  let seen = new Map<string, Seen>();
  return (alive) => {
    const now = performance.now();
    const ownHeartbeat = alive.find(({ instance }) => instance === observer)?.heartbeat ?? 0;
    seen = new Map(
      alive.map(({ instance, heartbeat }) => {
        const before = seen.get(instance);
        return [instance, before?.heartbeat === heartbeat ? before : { heartbeat, since: now, ownHeartbeat }];
      }),
    );
    const isSilent = ({ since, ownHeartbeat: then }: Seen) =>
      now - since >= SILENT_AFTER_MS && ownHeartbeat - then >= OWN_HEARTBEATS;
    return new Set([...seen].flatMap(([name, of]) => (isSilent(of) ? [name] : [])));
  };
}

async function takeNumber(database: Database, instance: string): Promise<number> {
  const taken = new Set((await readAlive(database)).map(({ number }) => number));
  for (let number = Math.floor(Math.random() * MAX_SERVERS); taken.size < MAX_SERVERS;) {
    while (taken.has(number)) number = (number + 1) % MAX_SERVERS;
    if (await database.compareAndWrite([{ query: take, params: [number, instance, LEASE_SECONDS] }]))
      return number;
    taken.add(number);
  }
  throw unavailable(new Error(`no server number is free: ${MAX_SERVERS} servers are running`));
}

/** A server that is alive. */
interface Alive extends Row<typeof servers> {
  readonly number: number;
}

/** Reads the servers that are alive, by their numbers. */
export async function readAlive(database: Database): Promise<readonly Alive[]> {
  const [rows = []] = await readMany(database, servers.page, [{ shard: 0, limit: MAX_SERVERS }]);
  // A row that has only some of its columns is about to expire.
  return rows
    .flatMap((row) => (row.number === null ? [] : { ...row, number: row.number }))
    .sort((one, other) => one.number - other.number);
}
