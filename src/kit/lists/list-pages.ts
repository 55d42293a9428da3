import type { Database } from '../cassandra/database';
import { createLoad, type Load } from '../reads/load';
import { collect } from './connection';
import type { Position } from './cursor';
import type { List } from './list-parts';

/**
 * Reads a whole list, newest first, in pages of up to `size` rows, from a position on if that is given. Each page is read
 * while the consumer works on the one before.
 */
export async function* listPages<R>(
  database: Database,
  listOf: (load: Load) => List<R>,
  size: number,
  from: Position | null = null,
): AsyncIterable<readonly R[]> {
  const read = (position: Position | null) => {
    const list = listOf(createLoad(database));
    const page = collect(list, { limit: size - 1, backwards: false, from: position }).then(
      ({ rows, end }) => {
        const last = rows.length < size ? undefined : rows.at(-1);
        const next = last === undefined ? end : { bucket: last.bucket, key: list.position(last.row) };
        return { rows: rows.map(({ row }) => row), next };
      },
    );
    // The consumer may stop before this page. Then nobody handles its error.
    page.catch(() => undefined);
    return page;
  };
  for (let page = read(from); ;) {
    const { rows, next } = await page;
    if (next !== null) page = read(next);
    if (rows.length > 0) yield rows;
    if (next === null) return;
  }
}
