import type { Load } from '../data/load';
import type { Statement } from '../cassandra/statement';
import type { Cost } from './cost';

/** A `load` that knows how much was read through it. */
export interface LimitedLoad extends Load {
  /** What was read so far: a partition counts once for each slice of it. */
  used(): Cost;
}

/**
 * Makes a `load` that reads no more than a bound: a read beyond it rejects with what `refuse` makes. A read that might go
 * beyond the bound on rows, together with those under way, waits until they have come.
 */
export function limitLoad(
  load: Load,
  max: Cost,
  refuse: (max: Cost, unit: keyof Cost) => Error,
): LimitedLoad {
  const seen = new Map<string, Promise<unknown>>();
  const waiting: {
    readonly most: number;
    start(this: void): void;
    reject(this: void, error: Error): void;
  }[] = [];
  let reads = 0;
  let rows = 0;
  let underWay = 0;
  let expected = 0;
  const startWaiting = () => {
    for (let [next] = waiting; next; [next] = waiting) {
      if (rows + expected + next.most > max.rows && underWay > 0) return;
      waiting.shift();
      if (rows + next.most > max.rows) next.reject(refuse(max, 'rows'));
      else next.start();
    }
  };
  const limited = <Key, Result>(statement: Statement<Key, Result>, key: Key): Promise<Result> => {
    const id = `${statement.name}\0${statement.bind(key).id}`;
    const known = seen.get(id);
    if (known) return known as Promise<Result>;
    if (reads >= max.reads) return Promise.reject(refuse(max, 'reads'));
    reads++;
    const most = rowsAtMost(key);
    const reading = new Promise<Result>((resolve, reject) => {
      const end = (count: number) => {
        rows += count;
        underWay--;
        expected -= most;
        startWaiting();
      };
      const start = () => {
        underWay++;
        expected += most;
        load(statement, key).then(
          (result) => {
            end(Array.isArray(result) ? result.length : 1);
            resolve(result);
          },
          (error: unknown) => {
            end(0);
            reject(error instanceof Error ? error : new Error(String(error)));
          },
        );
      };
      waiting.push({ most, start, reject });
      startWaiting();
    });
    seen.set(id, reading);
    return reading;
  };
  return Object.assign(limited, {
    used: () => ({ reads, rows }),
    forget: () => {
      seen.clear();
      load.forget();
    },
  });
}

/** The rows that a read asks for: of a page its limit, of a row one. */
function rowsAtMost(key: unknown): number {
  const limit: unknown = Reflect.get(Object(key), 'limit');
  return typeof limit === 'number' ? limit : 1;
}
