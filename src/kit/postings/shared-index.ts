import type { Database } from '../cassandra/database';
import { InvertedIndex, type IndexedList } from './inverted-index';

const known = new WeakMap<Database, Map<string, InvertedIndex>>();

/**
 * The inverted index of a list. All work of a server with one database shares it, and what it keeps in memory.
 *
 * @example
 * ```ts
 * const index = sharedIndex(database, { list: 'hotels', termsOf: async (_, places) => places.map(() => ['sea']) });
 * ```
 */
export function sharedIndex(database: Database, indexed: IndexedList): InvertedIndex {
  let indexes = known.get(database);
  if (indexes === undefined) known.set(database, (indexes = new Map<string, InvertedIndex>()));
  let index = indexes.get(indexed.list);
  if (index === undefined) indexes.set(indexed.list, (index = new InvertedIndex(database, indexed)));
  return index;
}
