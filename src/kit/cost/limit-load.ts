import type { Load } from '../load';
import type { Statement } from '../cassandra/statement';
import type { Cost } from './cost';

/** A `load` that knows how much was read through it. */
export interface LimitedLoad extends Load {
  /** What was read so far: a partition counts once for each slice of it. */
  used(): Cost;
}

/**
 * Makes a `load` that reads no more than a bound: a read beyond it rejects with what `refuse` makes. Rows are counted when they have
 * come, so those that are under way at once may go beyond the bound together.
 */
export function limitLoad(load: Load, max: Cost, refuse: () => Error): LimitedLoad {
  const seen = new Set<string>();
  let rows = 0;
  const limited = <Key, Result>(statement: Statement<Key, Result>, key: Key): Promise<Result> => {
    const id = `${statement.name}\0${statement.bind(key).id}`;
    if (seen.has(id)) return load(statement, key);
    if (seen.size >= max.reads || rows > max.rows) return Promise.reject(refuse());
    seen.add(id);
    return load(statement, key).then((result) => {
      rows += Array.isArray(result) ? result.length : 1;
      return result;
    });
  };
  return Object.assign(limited, {
    used: () => ({ reads: seen.size, rows }),
    forget: () => {
      load.forget();
    },
  });
}
