import { LRUCache } from 'lru-cache';
import type { Kept } from '../base/kept';
import type { LongerCaching, BoundStatement, Statement } from '../cassandra/statement';

/** The greatest total size of what a server keeps, in bytes as `measureResult` estimates them. */
const MAX_BYTES = 32 * 1024 ** 2;

/** The greatest size of one result that is cached, so that a few long lists do not take the place of all users and tweets. */
const MAX_ENTRY_BYTES = MAX_BYTES / 32;

/** How many large results that were read in the last moments are remembered, each of which takes about 150 bytes. */
const MAX_ASKED = 20_000;

/** How long it may take to find out whether a caller may be shown cached rows. After that the rows might be too old. */
const MAX_DECISION_MS = 1000;

/**
 * If some keys must be read anyway, up to so many others are read with them, rather than first what has changed: that is one request
 * less, and the others need not wait for it.
 */
const MAX_READ_ALONG = 50;

interface Entry {
  readonly result: unknown;
  /** When it was cached, in milliseconds since 1970. The other clock stands still while a machine is suspended. */
  readonly cachedAt: number;
  /** When its read began, on the clock of `performance.now()`: what was written after that may be missing. */
  readonly began: number;
}

/** The recent reads of a server, for all its requests. Its rows are shared, so nobody may change them. */
export interface ReadCache {
  /** The result of a read that began at most as long ago as this cache keeps results, or up to `maxSeconds` ago. */
  find(name: string, id: string, maxSeconds?: number): Found | undefined;
  /** Keeps the result of a read that began at a moment on the clock of `performance.now()`. */
  set(name: string, id: string, result: unknown, began: number): void;
  /** Notes that a result was asked for. Returns whether it also was in the moments before: twice the time for which results are cached. */
  noteAsked(name: string, id: string): boolean;
  /** Forgets a result. */
  drop(name: string, id: string): void;
  /** Counts reads: those that the cache answered, and those that it could not, or may not, answer. */
  count(hits: number, misses: number): void;
  /** How many reads were counted so far. */
  counts(): { readonly hits: number; readonly misses: number };
  readonly kept: Kept;
}

/** A result that is cached. */
interface Found {
  readonly result: unknown;
  /** Whether it is older than this cache keeps results, so that it may only be shown if it has not changed: see `LongerCaching`. */
  readonly isOld: boolean;
}

/** The server's cache as one request may use it. */
export interface RequestCache {
  readonly cache: ReadCache;
  /** Whether the caller may be shown cached results. */
  mayUse(this: void): Promise<boolean>;
}

/** The same, with what has changed: read once for each request. */
export interface CheckedCache extends RequestCache {
  /**
   * Reads the changes of results that are cached for longer. With `isKept`, they are only taken from the cache: if they are not there,
   * everything may have changed.
   */
  changesOf(this: void, longer: LongerCaching, isKept: boolean): Promise<(owner: string | number) => boolean>;
}

/** Creates the cache of a server, which keeps results for some seconds. */
export function createReadCache(seconds: number): ReadCache {
  const entries = new LRUCache<string, Entry>({ maxSize: MAX_BYTES, maxEntrySize: MAX_ENTRY_BYTES });
  const asked = new LRUCache<string, true>({ max: MAX_ASKED, ttl: Math.ceil(2 * seconds * 1000) });
  let hits = 0;
  let misses = 0;
  return {
    find(name, id, maxSeconds = 0) {
      const entry = entries.get(`${name}\0${id}`);
      if (entry === undefined) return undefined;
      const age = Math.max(performance.now() - entry.began, Date.now() - entry.cachedAt);
      if (age < seconds * 1000) return { result: entry.result, isOld: false };
      return age < maxSeconds * 1000 ? { result: entry.result, isOld: true } : undefined;
    },
    set(name, id, result, began) {
      const key = `${name}\0${id}`;
      entries.set(
        key,
        { result, cachedAt: Date.now(), began },
        { size: 200 + measureResult(key) + measureResult(result) },
      );
    },
    noteAsked(name, id) {
      const key = `${name}\0${id}`;
      const isAskedAgain = asked.has(key);
      asked.set(key, true);
      return isAskedAgain;
    },
    drop(name, id) {
      entries.delete(`${name}\0${id}`);
    },
    count(moreHits, moreMisses) {
      hits += moreHits;
      misses += moreMisses;
    },
    counts: () => ({ hits, misses }),
    kept: { entries: () => entries.size, bytes: () => entries.calculatedSize },
  };
}

/**
 * Answers keys of a statement from the cache as far as possible, and the others by `read`. The answers are in the order of the
 * keys. Calls `onAnswered` with the keys that the cache has answered, if there are any. It waits for `mayUse`,
 * which therefore must not wait for a read of a cacheable statement, and for `changesOf`, which must not wait for one that is cached
 * for longer.
 */
export async function readThrough<
  Key extends { readonly id: string; readonly bound: BoundStatement },
  Result,
>(
  { cache, mayUse, changesOf }: CheckedCache,
  { name, cached }: Pick<Statement<never, Result>, 'name' | 'cached'>,
  keys: readonly Key[],
  read: (keys: readonly Key[]) => Promise<(Result | Error)[]>,
  onAnswered: (keys: readonly Key[]) => void,
): Promise<(Result | Error)[]> {
  const looked = performance.now();
  const answers = new Map<Key, Result | Error>();
  const old: Key[] = [];
  for (const key of keys) {
    const entry = cache.find(name, key.id, cached?.longer?.seconds);
    if (entry) answers.set(key, entry.result as Result);
    if (entry?.isOld) old.push(key);
  }
  let mayShow = answers.size === 0 || (await mayUse());
  if (mayShow && old.length > 0 && cached?.longer) {
    const isReadAnyway = answers.size < keys.length && old.length <= MAX_READ_ALONG;
    const isChanged = await changesOf(cached.longer, isReadAnyway);
    for (const key of old) if (isChanged(key.bound.owner)) answers.delete(key);
  }
  mayShow &&= performance.now() - looked <= MAX_DECISION_MS;
  if (!mayShow) answers.clear();
  const missing = keys.filter((key) => !answers.has(key));
  cache.count(answers.size, missing.length);
  if (answers.size > 0) onAnswered([...answers.keys()]);
  const began = performance.now();
  const results = missing.length === 0 ? [] : await read(missing);
  missing.forEach((key, index) => {
    const result = results[index] as Result | Error;
    answers.set(key, result);
    const isCacheable = !(result instanceof Error) && (result !== null || cached?.absence === true);
    const isWorthCaching = isCacheable && (cached?.isLarge !== true || cache.noteAsked(name, key.id));
    if (isWorthCaching) cache.set(name, key.id, result, began);
    else cache.drop(name, key.id);
  });
  return keys.map((key) => answers.get(key) as Result | Error);
}

/** Reads from a cache alone. Rejects if the cache has nothing that is new enough. */
export function keptIn(cache: ReadCache): Parameters<LongerCaching['changes']>[0] {
  return <Key, Result>(statement: Statement<Key, Result>, key: Key) => {
    const entry = cache.find(statement.name, statement.bind(key).id);
    return entry ? Promise.resolve(entry.result as Result) : Promise.reject(NOT_KEPT);
  };
}

const NOT_KEPT = new Error('This server has not read that in the last moments.');

/** Roughly how much memory a value takes. */
function measureResult(value: unknown): number {
  if (typeof value === 'string') return 32 + 2 * value.length;
  let bytes = 32;
  if (typeof value === 'object') for (const part of partsOf(value ?? {})) bytes += measureResult(part);
  return bytes;
}

function partsOf(value: object): Iterable<unknown> {
  if (value instanceof Map) return [...(value as ReadonlyMap<unknown, unknown>)].flat();
  return value instanceof Set ? (value as ReadonlySet<unknown>) : (Object.values(value) as unknown[]);
}
