import { Client, errors, policies, types, type QueryOptions } from 'cassandra-driver';
import { retry } from '../base/retry';
import { unavailable } from '../base/errors';
import { endOfTurn } from '../base/per-turn';
import {
  clientOptions,
  isPastLimit,
  RetryElsewhere,
  tryTime,
  type DatabaseOptions,
  type ReadLimit,
} from './client-options';
import { startClock, type Clock } from './clock';
import type { Consistency } from './consistency';
import { schemaOf } from './schema-agreement';
import { createStatementCounts, type AllStatementCounts, type StatementCounts } from './statement-counts';
import type { AnyTable, Cell, StoredRow, Unassigned } from './table';

/** A write: the text of a statement and its values. */
export interface Write {
  readonly query: string;
  readonly params: readonly unknown[];
  /** The partition key without the table: Cassandra treats all writes of a batch to one key as one mutation, whatever their tables. */
  readonly partition: string;
  /** The cells that the first values of `params` fill. Only a write of a whole row has them. */
  readonly cells?: readonly Cell[];
  /** The size of the row, if it is known already: see `bytesIn`. */
  readonly bytes?: number;
  /** The list and position of the row, if it belongs to a list whose partition is not chosen yet: see `BucketAssigner`. */
  readonly unassigned?: Unassigned;
  /** The table and the key of the row that the write removes, if the table has `writtenNow`. */
  readonly removed?: { readonly table: AnyTable; readonly key: StoredRow };
}

/**
 * All access to Cassandra goes through this. Statements are prepared, and can be retried safely because each is idempotent.
 * A request rejects with `UNAVAILABLE` if no node answers it, and one that may write also while this machine's clock is wrong.
 */
export interface Database {
  read(
    cql: string,
    params: readonly unknown[],
    routingKey?: Buffer | Buffer[],
    limit?: ReadLimit,
    /** Where the request is counted. By default it counts as a read of its table. */
    counts?: StatementCounts,
  ): Promise<readonly object[]>;
  /** Streams a result of any size, with so many rows in memory at a time, 2,000 by default. */
  stream(cql: string, params: readonly unknown[], rowsAtOnce?: number): AsyncIterable<StoredRow>;
  write(cql: string, params: readonly unknown[]): Promise<void>;
  /** Sends writes as one batch; if `logged`, all are applied or none. A single write is sent without a batch, whose size limit then does not apply. */
  batch(writes: readonly Write[], options?: { logged?: boolean }): Promise<void>;
  /**
   * Runs a lightweight transaction: writes of one partition, some of which carry a condition. Resolves to whether they were
   * applied. After `UNAVAILABLE` they may or may not have been; `readSerial` finds out. If several nodes were asked one after another, they may
   * not be applied because they were already: that rejects with `UNAVAILABLE`, too, if the caller `mustKnow`.
   */
  compareAndWrite(
    writes: readonly Pick<Write, 'query' | 'params'>[],
    options?: { readonly mustKnow?: boolean },
  ): Promise<boolean>;
  /** Reads what lightweight transactions have written, including those whose outcome is unknown to their callers. */
  readSerial(cql: string, params: readonly unknown[]): Promise<readonly object[]>;
  /**
   * Changes the schema. All changes go to one node, so each of them finds what those before have made. Others learn of it later:
   * see `agreeOnSchema`.
   */
  changeSchema(cql: string): Promise<void>;
  /**
   * Waits until all nodes of the local data centre that are up have the same tables, at most for half a minute. Resolves to whether
   * they have.
   */
  agreeOnSchema(): Promise<boolean>;
  /** Runs a statement that is not used often. It is prepared only if it has parameters. All but `SELECT` may write. */
  run(cql: string, params?: readonly unknown[]): Promise<readonly types.Row[]>;
  /** Whether one replica is enough to answer a read, at the consistency of reads. */
  readonly readsOneReplica: boolean;
  /** The addresses of a partition's replicas in the local data centre, primary first; empty if the driver does not know them. */
  replicas(routingKey: Buffer | Buffer[]): readonly string[];
  /** The number of nodes that the driver knows. */
  nodes(): number;
  /** This machine's clock, compared with Cassandra's. */
  readonly clock: Clock;
  /** The counts of requests by statement, without changes of the schema and without `run`. */
  readonly statements: AllStatementCounts;
  close(): Promise<void>;
}

/** Connects to a cluster. Rejects with `UNAVAILABLE` when no contact point answers. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const client = new Client(clientOptions(options));
  await client.connect().catch(async (cause: unknown) => {
    await client.shutdown();
    throw unavailable(cause);
  });
  const clock = await startClock(client, options.warn ?? (() => undefined)).catch(async (error: unknown) => {
    await client.shutdown();
    throw error;
  });
  const statements = createStatementCounts();
  const schema = schemaOf(client, options.localDatacenter);
  const read = types.consistencies[consistencyKey(options.readConsistency)];
  const write = types.consistencies[consistencyKey(options.writeConsistency)];
  const serial = types.consistencies[options.serialConsistency === 'SERIAL' ? 'serial' : 'localSerial'];
  // A retried write keeps its timestamp, so that it never overwrites a write that was requested after it.
  const timestamps = new policies.timestampGeneration.MonotonicTimestampGenerator(1000, 1000);
  // The generator never goes back, so it must not see a wrong clock.
  const now = () => {
    clock.requireRight();
    return timestamps.next(client);
  };
  return {
    async read(cql, params, routingKey, limit, counts = statements.ofText(cql, 'read')) {
      // One object literal, so that the options of all reads have one shape: options that are made of several objects take twice the time.
      const request = () =>
        client.execute(cql, [...params], {
          prepare: true,
          consistency: read,
          fetchSize: 0,
          routingKey,
          readTimeout: limit ? tryTime(limit) : undefined,
          retry: new RetryElsewhere(limit, counts),
        } as QueryOptions);
      await endOfTurn();
      return (await repeat(request, counts, limit)).rows;
    },
    async *stream(cql, params, fetchSize = 2000) {
      const counts = statements.ofText(cql, 'stream');
      const query = {
        prepare: true,
        consistency: read,
        fetchSize,
        retry: new RetryElsewhere(undefined, counts),
      };
      let result = await repeat(() => client.execute(cql, [...params], query), counts);
      for (;;) {
        counts.rows += result.rows.length;
        yield* result.rows;
        const { pageState } = result;
        if (!pageState) return;
        result = await repeat(() => client.execute(cql, [...params], { ...query, pageState }), counts);
      }
    },
    async write(cql, params) {
      const counts = statements.ofText(cql, 'write');
      const retry = new RetryElsewhere(undefined, counts);
      const query = { prepare: true, consistency: write, timestamp: now(), retry };
      await repeat(() => client.execute(cql, [...params], query), counts);
    },
    async batch(writes, { logged = false } = {}) {
      const [only] = writes;
      const isSingle = only !== undefined && writes.length === 1;
      const counts = isSingle ? statements.ofText(only.query, 'write') : statements.named('batch');
      const retry = new RetryElsewhere(undefined, counts);
      const options = { prepare: true, consistency: write, timestamp: now(), retry };
      // The driver copies the writes of a batch, but changes none.
      await repeat(
        () =>
          isSingle
            ? client.execute(only.query, [...only.params], options)
            : client.batch([...writes], { ...options, logged }),
        counts,
      );
    },
    async compareAndWrite(writes, { mustKnow = false } = {}) {
      clock.requireRight();
      const queries = writes.map(({ query, params }) => ({ query, params: [...params] }));
      const [only] = queries;
      const counts = statements.ofText(only?.query ?? '', 'transaction');
      const retry = new RetryElsewhere(undefined, counts);
      const options = { prepare: true, consistency: write, serialConsistency: serial, retry };
      const send = () =>
        only && queries.length === 1
          ? client.execute(only.query, only.params, options)
          : client.batch(queries, options);
      const isApplied = (await measure(send, counts).catch(refuseAbsence)).wasApplied();
      if (isApplied) return true;
      counts.conflicts += 1;
      if (mustKnow && retry.mayBeDone)
        throw unavailable(new Error(`whether this was applied is not known: ${only?.query ?? ''}`));
      return false;
    },
    async readSerial(cql, params) {
      const counts = statements.ofText(cql, 'serial');
      const retry = new RetryElsewhere(undefined, counts);
      const query = { prepare: true, consistency: serial, fetchSize: 0, retry };
      return (await repeat(() => client.execute(cql, [...params], query), counts)).rows;
    },
    async changeSchema(cql) {
      clock.requireRight();
      const host = await schema.node();
      await client
        .execute(cql, [], { host, consistency: write, readTimeout: MAX_STATEMENT_MS })
        .catch((error: unknown) => {
          if (isAbsence(error)) schema.leave(host);
          return refuseAbsence(error);
        });
    },
    agreeOnSchema: () => schema.agree(),
    async run(cql, params = []) {
      const mayWrite = !/^\s*SELECT\b/i.test(cql);
      return (
        await client
          .execute(cql, [...params], {
            prepare: params.length > 0,
            consistency: write,
            serialConsistency: serial,
            readTimeout: MAX_STATEMENT_MS,
            ...(mayWrite && { timestamp: now() }),
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
    clock,
    statements,
    async close() {
      clock.stop();
      await client.shutdown();
    },
  };
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

/** How long a schema change may take on a busy machine. */
const MAX_STATEMENT_MS = 60_000;

/** How often a request is sent if no node answers, and the pause before the first retry; later pauses are longer. */
const MAX_TRIES = 4;
const RETRY_PAUSE_MS = 500;

/**
 * Sends an idempotent request, and sends it again after a pause if no node could answer it. The driver asks each node only
 * once, and right after a node has died, the others may still be waiting for it.
 */
function repeat<T>(request: () => Promise<T>, counts: StatementCounts, limit?: ReadLimit): Promise<T> {
  const repeated = () =>
    retry(request, (error, attempts) => {
      if (!isAbsence(error)) return null;
      const pause = RETRY_PAUSE_MS * attempts;
      if (attempts === MAX_TRIES || isPastLimit(limit, pause)) throw unavailable(error);
      counts.retries += 1;
      return pause;
    });
  return measure(repeated, counts);
}

/** Counts how long a request takes with its retries, and whether it fails. */
async function measure<T>(send: () => Promise<T>, counts: StatementCounts): Promise<T> {
  const began = performance.now();
  try {
    return await send();
  } catch (error) {
    counts.failures += 1;
    throw error;
  } finally {
    counts.countDuration((performance.now() - began) / 1000);
  }
}

function refuseAbsence(error: unknown): never {
  throw isAbsence(error) ? unavailable(error) : error;
}

/** Whether an error means that the nodes did not answer in time, rather than that they refused the statement. */
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

/** Serializes a partition key as one buffer. Several components each carry their length (the layout of Cassandra's CompositeType). */
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
