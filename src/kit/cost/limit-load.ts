import { asError } from '../base/errors';
import type { KnownAnswer, Load } from '../reads/load';
import { rowsAtMost } from '../cassandra/row-size';
import type { Statement } from '../cassandra/statement';
import { times, type Cost } from './cost';

/** A `load` that counts what is read through it. */
export interface LimitedLoad extends Load {
  /** How much was read so far. A partition counts once for each slice of it. */
  used(): Cost;
  /** Reserves the least amount that is about to be read, before any of it is. Rejects if that is refused. */
  reserve(this: void, expected: Cost): Promise<void>;
  /** Whether this was read already, so that reading it again counts nothing. */
  hasRead<Key, Result>(this: void, statement: Statement<Key, Result>, key: Key): boolean;
}

/** How many rows a read has found. */
function rowsIn(result: unknown): number {
  if (Array.isArray(result)) return result.length;
  const rows: unknown =
    typeof result === 'object' && result !== null ? Reflect.get(result, 'rows') : undefined;
  return Array.isArray(rows) ? rows.length : 1;
}

/** The growth of a bound up to another one. */
export interface Growth {
  /** The bound at first: what the field declares. */
  readonly from: Cost;
  /** Resolves when so much more may be read. Rejects if it must not be. */
  add(this: void, more: Cost): Promise<void>;
}

/**
 * Creates a `load` that reads no more than a bound. A read beyond the bound rejects with the error that `refuse` creates. If a
 * read, together with those under way, might exceed the bound on rows, it waits until they are answered. With `growth`, the bound is
 * less at first and doubles when that is not enough.
 */
export function limitLoad(
  load: Load,
  max: Cost,
  refuse: (max: Cost, unit: keyof Cost) => Error,
  growth?: Growth,
): LimitedLoad {
  let granted: Cost = growth ? leastOf(growth.from, max) : max;
  let granting: Promise<void> | null = null;
  /** Lets the bound grow, if it must, so that so much may be read in all. Returns null if that may be read at once. */
  const grantAtLeast = (needed: Cost): Promise<void> | null => {
    if (growth === undefined) return null;
    const least = leastOf(needed, max);
    let next = granted;
    while (next.reads < least.reads || next.rows < least.rows) next = leastOf(times(next, 2), max);
    if (next === granted) return granting;
    const more = { reads: next.reads - granted.reads, rows: next.rows - granted.rows };
    granted = next;
    const before = granting;
    const grant = before === null ? growth.add(more) : before.then(() => growth.add(more));
    granting = grant;
    // After a refusal nothing more is read.
    grant.then(
      () => {
        if (granting === grant) granting = null;
      },
      () => undefined,
    );
    return grant;
  };
  const seen = new Map<string, Promise<unknown>>();
  const waiting: {
    readonly maxRows: number;
    start(this: void): void;
    reject(this: void, error: Error): void;
  }[] = [];
  let reads = 0;
  let rows = 0;
  let underWay = 0;
  let expected = 0;
  /** The rows of reads that wait until the bound has grown. */
  let planned = 0;
  const startWaiting = () => {
    for (let [next] = waiting; next; [next] = waiting) {
      if (rows + expected + next.maxRows > max.rows && underWay > 0) return;
      waiting.shift();
      if (rows + next.maxRows > max.rows) next.reject(refuse(max, 'rows'));
      else next.start();
    }
  };
  const end = (count: number, maxRows: number) => {
    rows += count;
    underWay--;
    expected -= maxRows;
    startWaiting();
  };
  const limited = <Key, Result>(statement: Statement<Key, Result>, key: Key): Promise<Result> => {
    const id = idOf(statement, key);
    const cached = seen.get(id);
    if (cached) return cached as Promise<Result>;
    if (reads >= max.reads) return Promise.reject(refuse(max, 'reads'));
    const maxRows = rowsAtMost(key);
    const grant = grantAtLeast({ reads: reads + 1, rows: rows + expected + planned + maxRows });
    reads++;
    const read = () => {
      underWay++;
      expected += maxRows;
      return load(statement, key).then(
        (result) => {
          end(rowsIn(result), maxRows);
          return result;
        },
        (error: unknown) => {
          end(0, maxRows);
          throw asError(error);
        },
      );
    };
    const readInTurn = () =>
      rows + expected + maxRows <= max.rows && waiting.length === 0
        ? read()
        : new Promise<Result>((resolve, reject) => {
            const start = () => {
              read().then(resolve, reject);
            };
            waiting.push({ maxRows, start, reject });
            startWaiting();
          });
    const readWhenGranted = async (wait: Promise<void>) => {
      planned += maxRows;
      await wait;
      planned -= maxRows;
      return readInTurn();
    };
    const reading = grant === null ? readInTurn() : readWhenGranted(grant);
    seen.set(id, reading);
    return reading;
  };
  return Object.assign(limited, {
    isHidden: load.isHidden,
    within: load.within,
    hasRead: <Key, Result>(statement: Statement<Key, Result>, key: Key) => seen.has(idOf(statement, key)),
    used: () => ({ reads, rows }),
    reserve: async (more: Cost) => {
      await grantAtLeast({ reads: reads + more.reads, rows: rows + expected + planned + more.rows });
    },
    forget: (...known: readonly KnownAnswer[]) => {
      seen.clear();
      load.forget(...known);
    },
  });
}

function leastOf(a: Cost, b: Cost): Cost {
  return { reads: Math.min(a.reads, b.reads), rows: Math.min(a.rows, b.rows) };
}

function idOf<Key>(statement: Pick<Statement<Key, unknown>, 'name' | 'bind'>, key: Key): string {
  return `${statement.name}\0${statement.bind(key).id}`;
}
