import { asError } from '../base/errors';
import type { Load } from '../reads/load';
import { rowsAtMost } from '../cassandra/large-columns';
import type { Statement } from '../cassandra/statement';
import type { Cost } from './cost';

/** A `load` that counts what is read through it. */
export interface LimitedLoad extends Load {
  /** How much was read so far. A partition counts once for each slice of it. */
  used(): Cost;
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

/**
 * Creates a `load` that reads no more than a bound. A read beyond the bound rejects with the error that `refuse` creates. If a
 * read, together with those under way, might exceed the bound on rows, it waits until they are answered.
 */
export function limitLoad(
  load: Load,
  max: Cost,
  refuse: (max: Cost, unit: keyof Cost) => Error,
): LimitedLoad {
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
    reads++;
    const maxRows = rowsAtMost(key);
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
    const reading =
      rows + expected + maxRows <= max.rows && waiting.length === 0
        ? read()
        : new Promise<Result>((resolve, reject) => {
            const start = () => {
              read().then(resolve, reject);
            };
            waiting.push({ maxRows, start, reject });
            startWaiting();
          });
    seen.set(id, reading);
    return reading;
  };
  return Object.assign(limited, {
    hasRead: <Key, Result>(statement: Statement<Key, Result>, key: Key) => seen.has(idOf(statement, key)),
    used: () => ({ reads, rows }),
    forget: () => {
      seen.clear();
      load.forget();
    },
  });
}

function idOf<Key>(statement: Pick<Statement<Key, unknown>, 'name' | 'bind'>, key: Key): string {
  return `${statement.name}\0${statement.bind(key).id}`;
}
