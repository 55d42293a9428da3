import type { Write } from '../cassandra/database';
import { writeOf } from '../cassandra/write';
import { joinTerms, requireBounded, type Entry } from './entry';
import { partFor, type DividedList } from './part';
import { unsealedEntries } from './postings.table';
import { MAX_ADDING_MS, SHORT_LOOK_BACK_MS, timeSlotAt } from './view';

/**
 * The write that adds an entry to a list, or replaces its terms: at most 512, of 16,384 bytes together. It must be stored within `MAX_ADDING_MS`; if that took longer,
 * it must be created again: see `tookTooLong`.
 */
export function addEntryWrite(list: DividedList, entry: Entry, at = Date.now()): Write {
  requireBounded(entry);
  const { rank, id, terms } = entry;
  return writeOf(unsealedEntries, {
    slot: timeSlotAt(at),
    list: partFor(list, id).name,
    at: new Date(at),
    rank,
    id,
    terms: joinTerms(terms),
  });
}

/**
 * Whether storing an addition that was created at a moment took so long that servers may overlook it: then add the entry again. Servers find it in a list
 * of several parts also after a longer time, but only at their next full look, which is too late for subscriptions; so `list` is for entries of
 * which subscriptions are told.
 */
export function tookTooLong(createdAt: number, list?: DividedList): boolean {
  const isDivided = list !== undefined && list.parts > 1;
  return Date.now() - createdAt > (isDivided ? SHORT_LOOK_BACK_MS : MAX_ADDING_MS);
}

/**
 * Adds entries by `store`, again if that takes too long. An entry may have 512 terms, of 16,384 bytes of UTF-8 together.
 *
 * @example
 * ```ts
 * const index = sharedIndex(database, { list: 'hotels', termsOf: async (_, places) => places.map(() => ['sea']) });
 * await addEntries(index, [{ rank: 0, id: '1', terms: ['sea', 'kind:family'] }], (writes) => putAll(bulk(), writes));
 * ```
 */
export async function addEntries(
  list: DividedList,
  entries: readonly Entry[],
  store: (writes: readonly Write[]) => Promise<void>,
): Promise<void> {
  if (entries.length === 0) return;
  let at: number;
  do {
    at = Date.now();
    await store(entries.map((entry) => addEntryWrite(list, entry, at)));
  } while (tookTooLong(at));
}
