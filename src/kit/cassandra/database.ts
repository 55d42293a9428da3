import { setTimeout as sleep } from 'node:timers/promises';
import { Client, errors, policies, types, type ClientOptions, type QueryOptions } from 'cassandra-driver';
import { unavailable } from '../base/errors';
import type { Consistency, SerialConsistency } from './consistency';

/** How to reach a cluster. */
export interface DatabaseOptions {
  /** `host:port` of some nodes. */
  readonly contactPoints: readonly string[];
  readonly localDatacenter: string;
  readonly keyspace?: string;
  readonly credentials?: { readonly username: string; readonly password: string };
  /** A PEM certificate authority; TLS is used when it is given. */
  readonly tlsCa?: string;
  readonly readConsistency: Consistency;
  readonly writeConsistency: Consistency;
  /** `LOCAL_SERIAL` when not given. */
  readonly serialConsistency?: SerialConsistency;
}

/** A write: the text of a statement and its values. */
export interface Write {
  readonly query: string;
  readonly params: readonly unknown[];
  /** The partition key, without the table: what one batch writes to a key, in whatever tables, is one mutation to Cassandra. */
  readonly partition: string;
  /** What the first values are to a row; not said of what writes no whole row. */
  readonly cells?: readonly Cell[];
}

/** What a value adds to the size of a row. */
export interface Cell {
  /** Besides a value of no fixed size. */
  readonly bytes: number;
  /** Whether its values are of a fixed size. */
  readonly isFixed: boolean;
}

/** How long a read may be tried. */
export interface ReadLimit {
  /** No try begins after it, on the clock of `performance.now()`. It may come earlier while a read goes on. */
  readonly until: number;
}

/** The one door to Cassandra: prepared statements, retried safely since each is idempotent. */
export interface Database {
  read(
    cql: string,
    params: readonly unknown[],
    routingKey?: Buffer | Buffer[],
    limit?: ReadLimit,
  ): Promise<readonly object[]>;
  /** Streams a result of any size, some rows in memory at a time. */
  stream(cql: string, params: readonly unknown[]): AsyncIterable<object>;
  write(cql: string, params: readonly unknown[]): Promise<void>;
  /** Several writes in one request; one alone is no batch, and has no greatest size but a mutation's. `logged`: all of them happen or none. */
  batch(writes: readonly Write[], options?: { logged?: boolean }): Promise<void>;
  /**
   * A lightweight transaction: the writes of one partition, some of which carry a condition. Resolves to whether they
   * were applied; after `UNAVAILABLE` they may be or not, which `readSerial` tells.
   */
  compareAndWrite(writes: readonly Pick<Write, 'query' | 'params'>[]): Promise<boolean>;
  /** Reads what lightweight transactions have written, also those whose outcome nobody was told. */
  readSerial(cql: string, params: readonly unknown[]): Promise<readonly object[]>;
  /** A statement that is not prepared: definitions, lightweight transactions. */
  run(cql: string, params?: readonly unknown[]): Promise<readonly types.Row[]>;
  /** Whether one replica answers a read, rather than several that must agree. */
  readonly readsOneReplica: boolean;
  /** The replicas of a partition in the local datacenter, by address, the primary first; none where the driver does not know. */
  replicas(routingKey: Buffer | Buffer[]): readonly string[];
  /** How many nodes the driver knows. */
  nodes(): number;
  close(): Promise<void>;
}

/** Connects to a cluster. Rejects with `UNAVAILABLE` when no contact point answers. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const client = new Client(clientOptions(options));
  await client.connect().catch(async (cause: unknown) => {
    await client.shutdown();
    throw unavailable(cause);
  });
  const read = types.consistencies[consistencyKey(options.readConsistency)];
  const write = types.consistencies[consistencyKey(options.writeConsistency)];
  const serial = types.consistencies[options.serialConsistency === 'SERIAL' ? 'serial' : 'localSerial'];
  // A write keeps its time when it is made again, so that it never undoes one that was asked for after it.
  const clock = new policies.timestampGeneration.MonotonicTimestampGenerator(1000, 1000);
  const now = () => clock.next(client);
  return {
    async read(cql, params, routingKey, limit) {
      // Of one shape, since each read has one: made of several objects it would take twice the time.
      const request = () =>
        client.execute(cql, [...params], {
          prepare: true,
          consistency: read,
          fetchSize: 0,
          routingKey,
          readTimeout: limit ? tryTime(limit) : undefined,
          retry: limit ? new RetryElsewhere(limit) : undefined,
        } as QueryOptions);
      return (await insist(request, limit)).rows;
    },
    async *stream(cql, params) {
      const query = { prepare: true, consistency: read, fetchSize: 2000 };
      let result = await insist(() => client.execute(cql, [...params], query));
      for (;;) {
        yield* result.rows;
        const { pageState } = result;
        if (!pageState) return;
        result = await insist(() => client.execute(cql, [...params], { ...query, pageState }));
      }
    },
    async write(cql, params) {
      const query = { prepare: true, consistency: write, timestamp: now() };
      await insist(() => client.execute(cql, [...params], query));
    },
    async batch(writes, { logged = false } = {}) {
      const queries = writes.map(({ query, params }) => ({ query, params: [...params] }));
      const [only] = queries;
      const options = { prepare: true, consistency: write, timestamp: now() };
      await insist(() =>
        only && queries.length === 1
          ? client.execute(only.query, only.params, options)
          : client.batch(queries, { ...options, logged }),
      );
    },
    async compareAndWrite(writes) {
      const queries = writes.map(({ query, params }) => ({ query, params: [...params] }));
      const [only] = queries;
      const options = { prepare: true, consistency: write, serialConsistency: serial };
      const sent =
        only && queries.length === 1
          ? client.execute(only.query, only.params, options)
          : client.batch(queries, options);
      return (await sent.catch(refuseAbsence)).wasApplied();
    },
    async readSerial(cql, params) {
      const query = { prepare: true, consistency: serial, fetchSize: 0 };
      return (await insist(() => client.execute(cql, [...params], query))).rows;
    },
    async run(cql, params = []) {
      return (
        await client
          .execute(cql, [...params], {
            prepare: params.length > 0,
            consistency: write,
            serialConsistency: serial,
            readTimeout: MAX_STATEMENT_MS,
          })
          .catch(refuseAbsence)
      ).rows;
    },
    readsOneReplica: /ONE$/.test(options.readConsistency),
    replicas: (routingKey) =>
      client
        .getReplicas(options.keyspace ?? '', toToken(routingKey))
        .filter((host) => host.datacenter === options.localDatacenter)
        .map((host) => host.address),
    nodes: () => client.hosts.length,
    close: () => client.shutdown(),
  };
}

function clientOptions(options: DatabaseOptions): ClientOptions {
  return {
    contactPoints: [...options.contactPoints],
    // The nodes name each other without ports: the driver takes this one for those that it hears of.
    protocolOptions: {
      port: Number(/:(\d+)$/.exec(options.contactPoints[0] ?? '')?.[1] ?? 9042),
      // The driver waits for nodes that are down too: with one of them, each new table would take as long as this.
      maxSchemaAgreementWaitSeconds: 1,
    },
    localDataCenter: options.localDatacenter,
    ...(options.keyspace !== undefined && { keyspace: options.keyspace }),
    ...(options.credentials && { credentials: options.credentials }),
    ...(options.tlsCa !== undefined && { sslOptions: { ca: [options.tlsCa] } }),
    encoding: { useBigIntAsLong: true },
    queryOptions: { isIdempotent: true },
    socketOptions: { connectTimeout: 5000, readTimeout: MAX_TRY_MS },
    policies: {
      retry: new RetryElsewhere(),
      reconnection: new policies.reconnection.ConstantReconnectionPolicy(1000),
    },
  };
}

/** Every statement here is idempotent, so whatever fails at one node is tried at the next, a few times. */
class RetryElsewhere extends policies.retry.RetryPolicy {
  constructor(private readonly limit?: ReadLimit) {
    super();
  }
  override onReadTimeout(info: policies.retry.OperationInfo): policies.retry.DecisionInfo {
    return this.again(info);
  }
  override onWriteTimeout(info: policies.retry.OperationInfo): policies.retry.DecisionInfo {
    return this.again(info);
  }
  override onUnavailable(info: policies.retry.OperationInfo): policies.retry.DecisionInfo {
    return this.again(info);
  }
  override onRequestError(info: policies.retry.OperationInfo): policies.retry.DecisionInfo {
    return this.again(info);
  }
  private again(info: policies.retry.OperationInfo): policies.retry.DecisionInfo {
    if (info.nbRetry >= 4 || isOver(this.limit)) return this.rethrowResult();
    return this.retryResult(info.executionOptions.getConsistency(), false);
  }
}

const unavailableCodes: readonly number[] = [
  types.responseErrorCodes.unavailableException,
  types.responseErrorCodes.overloaded,
  types.responseErrorCodes.isBootstrapping,
  types.responseErrorCodes.writeTimeout,
  types.responseErrorCodes.readTimeout,
  types.responseErrorCodes.readFailure,
  types.responseErrorCodes.writeFailure,
];

/** Milliseconds that a definition may take on a busy machine. */
const MAX_STATEMENT_MS = 60_000;

/** Milliseconds that one node has to answer. */
const MAX_TRY_MS = 10_000;
/** However little time is left: the driver closes connections on which many requests are not answered in time. */
const MIN_TRY_MS = 1000;
/** The driver's timers are kept by their length: few lengths are cheaper. */
const TRY_STEP_MS = 500;

/** Milliseconds of a try: half the time that is left, so that another node can be asked when the first one hangs. */
function tryTime({ until }: ReadLimit): number {
  const half = (until - performance.now()) / 2;
  const steps = Math.floor(half / TRY_STEP_MS) * TRY_STEP_MS;
  return Math.max(MIN_TRY_MS, Math.min(MAX_TRY_MS, steps));
}

function isOver(limit: ReadLimit | undefined, milliseconds = 0): boolean {
  return limit !== undefined && performance.now() + milliseconds >= limit.until;
}

/** How often a request is made when no node answers, and the pause before the first repetition; the later ones are longer. */
const MAX_TRIES = 4;
const RETRY_PAUSE_MS = 500;

/**
 * Makes an idempotent request, again after a pause where no node could answer it: the driver asks each node once, and
 * right after one of them died, those that live may still wait for it.
 */
async function insist<T>(request: () => Promise<T>, limit?: ReadLimit): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await request();
    } catch (error) {
      if (!isAbsence(error)) throw error;
      if (tries === MAX_TRIES || isOver(limit, RETRY_PAUSE_MS * tries)) throw unavailable(error);
      await sleep(RETRY_PAUSE_MS * tries);
    }
  }
}

function refuseAbsence(error: unknown): never {
  throw isAbsence(error) ? unavailable(error) : error;
}

/** Whether an error says that the nodes did not answer, rather than that they refused. */
function isAbsence(error: unknown): boolean {
  return (
    error instanceof errors.NoHostAvailableError ||
    error instanceof errors.OperationTimedOutError ||
    error instanceof errors.BusyConnectionError ||
    (error instanceof errors.ResponseError && unavailableCodes.includes(error.code))
  );
}

function consistencyKey(consistency: Consistency): keyof typeof types.consistencies {
  const keys = {
    ONE: 'one',
    LOCAL_ONE: 'localOne',
    QUORUM: 'quorum',
    LOCAL_QUORUM: 'localQuorum',
    EACH_QUORUM: 'eachQuorum',
    ALL: 'all',
  } as const;
  return keys[consistency];
}

/** The partition key as one buffer: several components each carry their length (the layout of Cassandra's CompositeType). */
function toToken(routingKey: Buffer | Buffer[]): Buffer {
  if (Buffer.isBuffer(routingKey)) return routingKey;
  if (routingKey.length === 1) return routingKey[0] ?? Buffer.alloc(0);
  return Buffer.concat(
    routingKey.flatMap((part) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(part.length);
      return [length, part, Buffer.alloc(1)];
    }),
  );
}
