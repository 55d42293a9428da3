import DataLoader from 'dataloader';
import { asError } from '../base/errors';
import type { RequestTrace } from '../base/request-trace';
import { runShared } from '../base/shared-runs';
import type { Database } from '../cassandra/database';
import type { LongerCaching, BoundStatement, Statement } from '../cassandra/statement';
import { bytesAtMost, measureRows, rowsAtMost } from '../cassandra/row-size';
import type { Pass } from './gate';
import { hiddenTest } from './hidden-users';
import { keptIn, readThrough, type CheckedCache, type RequestCache } from './read-cache';
import { groupsOf, requestFor } from './read-group';

/** Reads by statement and key. Keys that are requested in the same tick are read together. Each request has its own `load`. */
export interface Load {
  <Key, Result>(statement: Statement<Key, Result>, key: Key): Promise<Result>;
  /** Forgets all reads, so that reads after a write find it; from then on the server's cache is not used. `known` need not be read. */
  forget(...known: readonly KnownAnswer[]): void;
  /**
   * Whether a user, and everything that the user has made, is hidden; not given if nobody is. Lists and nodes ask this before they show
   * rows; reading does not.
   */
  readonly isHidden?: ((userId: string) => boolean) | undefined;
  /** Waits for work that is no read; rejects when the request ends before, because it is past its deadline or its client has gone. */
  within<T>(this: void, work: Promise<T>): Promise<T>;
}

/** The answer of a read, known to the request that has just written the row. */
export interface KnownAnswer {
  readonly statement: Statement<unknown, unknown>;
  readonly id: string;
  readonly result: unknown;
}

/** Creates a known answer. It must be as new as one that is read now. */
export function knownAnswer<Key, Result>(
  statement: Statement<Key, Result>,
  key: Key,
  result: Result,
): KnownAnswer {
  return { statement, id: statement.bind(key).id, result };
}

/** One request to Cassandra, as tests and `extensions.explain` see it. */
export interface Read {
  readonly statement: string;
  readonly table: string;
  /** How many keys this request reads. */
  readonly keys: number;
  readonly partitions: number;
  readonly rows: number;
  /** The bytes of the rows. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Whether there was no request, because the server's cache had the rows. Partitions and rows are then 0. */
  readonly cached?: true;
  /** The paths in the query that needed it, without list indexes: `user.timeline.nodes.author`. */
  readonly paths: readonly string[];
  /** The fields that needed it, as schema coordinates: `Tweet.author`. */
  readonly fields: readonly string[];
}

/** A field that is being resolved. */
export interface ResolvingField {
  readonly path: string;
  readonly field: string;
}

/** A log in which the loaders of a request record their reads, if the request is explained or tested. */
export interface ReadLog {
  readonly reads: Read[];
  /** The field that is being resolved. */
  resolving(): ResolvingField | undefined;
  /** Does work whose reads belong to no field. */
  apart<T>(work: () => T): T;
  /** The fields that returned lists, by their paths. */
  readonly lists: Map<string, string>;
}

interface RequestedKey {
  readonly id: string;
  readonly bound: BoundStatement;
  /** How many rows it has at most, and how many bytes these have. */
  readonly rows: number;
  readonly bytes: number;
  /** The fields that need it; empty if there is no log. */
  readonly fields: ResolvingField[];
}

interface Loader {
  readonly batches: DataLoader<RequestedKey, unknown, string>;
  /** The reads since the last batch was sent, by id: a field that needs one of them too gets the same promise. */
  readonly collecting: Map<string, Promise<unknown>>;
  /** All answers so far, by id. */
  readonly answers: Map<string, Promise<unknown>>;
  /** All keys so far, by id, if there is a log: other fields may need the same keys later. */
  readonly requested: Map<string, RequestedKey>;
}

/**
 * The number of rows from which requests that ask for the same at one moment share a read. For fewer rows, waiting for each other would
 * take longer than it saves.
 */
const MIN_SHARED_ROWS = 1000;

const mayAllHaveChanged = () => true;

/** Shared by all keys that are not logged. */
const NO_FIELDS: ResolvingField[] = [];

/**
 * Creates the `load` of a request, with one DataLoader for each statement. Work that belongs to no request needs no pass, and
 * no cache.
 *
 * @example
 * ```ts
 * const load = createLoad(database);
 * // Both keys are one request to Cassandra.
 * const both = await Promise.all([1, 2].map((number) => load(rooms.get, { hotelId: '1', number })));
 * ```
 */
export function createLoad(database: Database, log?: ReadLog, pass?: Pass, cache?: RequestCache): Load {
  const loaders = new Map<unknown, Loader>();
  let mayBeCached = cache !== undefined;
  // Once a caller may be shown cached results, it may for the rest of the request.
  let isAllowed = false;
  const changes = new Map<LongerCaching, (owner: string | number) => boolean>();
  const asked = cache && {
    cache: cache.cache,
    changesOf: async (longer: LongerCaching, isKept: boolean): ReturnType<LongerCaching['changes']> => {
      const known = changes.get(longer);
      if (known !== undefined) return known;
      // If the invalidations cannot be read, the rows perhaps can.
      const isChanged = await longer
        .changes(isKept ? keptIn(cache.cache) : load)
        .catch(() => mayAllHaveChanged);
      if (!isKept || isChanged !== mayAllHaveChanged) changes.set(longer, isChanged);
      return isChanged;
    },
    mayUse: async () => {
      const may = await cache.mayUse();
      // A log tells which keys were read together, so then all go the same way.
      isAllowed = may && log === undefined;
      return may;
    },
  };
  const cachedAnswer = <Result>(
    { name, cached }: Statement<never, Result>,
    { id, owner }: BoundStatement,
    loader: Loader,
  ) => {
    if (cached === undefined || !mayBeCached || !isAllowed) return undefined;
    const { longer } = cached;
    const entry = cache?.cache.find(name, id, longer?.seconds);
    if (entry === undefined || (entry.isOld && longer && changes.get(longer)?.(owner) !== false))
      return undefined;
    cache?.cache.count(1, 0);
    const answer = Promise.resolve(entry.result);
    loader.answers.set(id, answer);
    return answer;
  };
  const loaderOf = <Key, Result>(statement: Statement<Key, Result>): Loader => {
    let loader = loaders.get(statement);
    if (loader === undefined)
      loaders.set(statement, (loader = createLoader(database, statement, log, pass, asked)));
    return loader;
  };
  const load = <Key, Result>(statement: Statement<Key, Result>, key: Key) => {
    const bound = statement.bind(key);
    const { id } = bound;
    const read = statement.cached?.of;
    // A row that this request has read itself is not older than a cached one.
    const source = read && (!mayBeCached || loaders.get(read)?.answers.has(id)) ? read : statement;
    const loader = loaderOf(source);
    let answer = loader.collecting.get(id);
    if (answer === undefined && !loader.answers.has(id)) answer = cachedAnswer(source, bound, loader);
    if (answer === undefined) {
      const requested = requestedKey(statement, key, bound, log ? [] : NO_FIELDS);
      if (log && !loader.requested.has(id)) loader.requested.set(id, requested);
      const isRepeated = loader.answers.has(id);
      answer = loader.batches.load(requested);
      // DataLoader gives another promise then, which nobody may await either: see `createLoader`.
      if (isRepeated) answer.catch(() => undefined);
      loader.collecting.set(id, answer);
    }
    const field = log?.resolving();
    if (field) loader.requested.get(id)?.fields.push(field);
    return answer as Promise<Result>;
  };
  return Object.assign(load, {
    forget: (...known: readonly KnownAnswer[]) => {
      loaders.clear();
      mayBeCached = false;
      for (const { statement, id, result } of known)
        loaderOf(statement).answers.set(id, Promise.resolve(result));
    },
    isHidden: hiddenTest(database),
    within: <T>(work: Promise<T>) => (pass ? pass.within(work) : work),
  });
}

function createLoader<Key, Result>(
  database: Database,
  statement: Statement<Key, Result>,
  log: ReadLog | undefined,
  pass: Pass | undefined,
  cache: CheckedCache | undefined,
): Loader {
  const collecting = new Map<string, Promise<unknown>>();
  const answers = new Map<string, Promise<unknown>>();
  const read = (keys: readonly RequestedKey[]) => readAll(database, statement, keys, log, pass);
  const readBatch = (requested: readonly RequestedKey[]) => {
    if (!cache || !statement.cached) return read(requested);
    return readThrough(cache, statement, requested, read, (keys) => {
      log?.reads.push(readOf(statement, keys, { cached: true }));
    });
  };
  const batches = new DataLoader<RequestedKey, unknown, string>(
    async (requested) => {
      collecting.clear();
      const results = await readBatch(requested).catch((error: unknown) =>
        requested.map(() => asError(error)),
      );
      // A caller that first waits for something else may never await an answer, and an unhandled rejection would end the process.
      requested.forEach(({ id }, index) => {
        if (results[index] instanceof Error) answers.get(id)?.catch(() => undefined);
      });
      return results;
    },
    { name: statement.name, cacheKeyFn: ({ id }) => id, cacheMap: answers, maxBatchSize: 1000 },
  );
  return { batches, collecting, answers, requested: new Map() };
}

/**
 * Reads many keys of one statement at once, for work that belongs to no request. The results are in the order of the keys.
 *
 * @example
 * ```ts
 * const [first, second] = await readMany(database, rooms.get, [
 *   { hotelId: '1', number: 1 },
 *   { hotelId: '1', number: 2 },
 * ]);
 * ```
 */
export async function readMany<Key, Result>(
  database: Database,
  statement: Statement<Key, Result>,
  keys: readonly Key[],
): Promise<Result[]> {
  const requested = keys.map((key) => requestedKey(statement, key, statement.bind(key), NO_FIELDS));
  const answers = await readAll(database, statement, requested, undefined);
  return answers.map((answer) => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
}

function requestedKey<Key>(
  { size }: Statement<Key, unknown>,
  key: Key,
  bound: BoundStatement,
  fields: ResolvingField[],
): RequestedKey {
  return { id: bound.id, bound, rows: rowsAtMost(key), bytes: bytesAtMost(size, key), fields };
}

/**
 * Reads keys by as few requests as possible. The answers are in the order of the keys. If a request fails, its error is the answer to each
 * of its keys.
 */
async function readAll<Key, Result>(
  database: Database,
  statement: Statement<Key, Result>,
  requested: readonly RequestedKey[],
  log: ReadLog | undefined,
  pass?: Pass,
): Promise<(Result | Error)[]> {
  const groups = groupsOf(database, requested);
  const counts = database.statements.named(statement.name);
  const answers = new Array<Result | Error>(requested.length);
  const readGroup = async (indexes: readonly number[]) => {
    const isAll = groups.length === 1;
    const group = isAll ? requested : indexes.flatMap((index) => requested[index] ?? []);
    let started: number | undefined;
    let endSpan: ReturnType<RequestTrace['send']> | undefined;
    let rows: readonly (readonly object[])[] | Error;
    let bytes = 0;
    let count = 0;
    let partitions = 0;
    try {
      const request = requestFor(group);
      const { cql, params, routingKey, divide } = request;
      partitions = request.partitions;
      const [{ id, rows: most } = { id: '', rows: 0 }] = group;
      const send = () => {
        started = performance.now();
        endSpan = pass?.trace?.send(statement.name, statement.table);
        if (group.length > 1 || most < MIN_SHARED_ROWS)
          return database.read(cql, params, routingKey, pass, counts);
        // It has the last deadline of those who share it, and goes on when one of them is over.
        return runShared(database, `${cql}\0${id}`, pass?.until ?? Infinity, (deadlines) => {
          const until = Math.max(...deadlines);
          return database.read(cql, params, routingKey, until === Infinity ? undefined : { until }, counts);
        });
      };
      rows = divide(await (pass ? pass.run(group.length, send, bytesOfKeys(group)) : send()));
      for (const some of rows) {
        count += some.length;
        if (pass || log) bytes += measureRows(statement.size, some);
      }
      counts.countRead(partitions, count, bytes);
      endSpan?.({ partitions, rows: count, bytes });
      pass?.countBytes(bytes);
    } catch (error) {
      rows = asError(error);
      endSpan?.(rows);
    }
    // If it is undefined, the pass was closed while this read waited, so nothing was read.
    if (log && started !== undefined)
      log.reads.push(
        readOf(statement, group, {
          partitions,
          rows: count,
          bytes,
          milliseconds: Math.round((performance.now() - started) * 100) / 100,
        }),
      );
    for (let n = 0; n < group.length; n++)
      answers[isAll ? n : (indexes[n] ?? n)] = rows instanceof Error ? rows : statement.pick(rows[n] ?? []);
  };
  await Promise.all(groups.map(readGroup));
  return answers;
}

function bytesOfKeys(keys: readonly RequestedKey[]): number {
  return keys.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Describes, for the log, a read of several keys, or an answer of the cache. */
function readOf(
  { name, table }: Pick<Statement<never, unknown>, 'name' | 'table'>,
  keys: readonly RequestedKey[],
  read: Partial<Read>,
): Read {
  return {
    statement: name,
    table,
    keys: keys.length,
    partitions: 0,
    rows: 0,
    bytes: 0,
    milliseconds: 0,
    ...read,
    // These are computed when they are read, because further fields may need the same keys until the response is sent.
    get paths() {
      return [...new Set(keys.flatMap(({ fields }) => fields.map(({ path }) => path)))];
    },
    get fields() {
      return [...new Set(keys.flatMap(({ fields }) => fields.map(({ field }) => field)))];
    },
  };
}
