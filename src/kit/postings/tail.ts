import { comparePlaces, keyOfPlace, type Entry, type Place } from './entry';

/** An entry that is in no segment yet. */
export interface UnsealedEntry extends Entry {
  /** When it was added, in milliseconds since 1970. */
  readonly at: number;
}

interface Kept extends UnsealedEntry {
  /** The number of the update by which the place became known. */
  readonly since: number;
  readonly ofTerms: ReadonlySet<string>;
}

/** The entries of a list that are in no segment yet, in memory. If a place was added twice, the later terms count. */
export class Tail {
  private readonly byPlace = new Map<string, Kept>();
  /** The entries of each term, last in the list first, because most new entries are the first of the list. */
  private byTerm = new Map<string, Kept[]>();

  /** How many entries there are. */
  get size(): number {
    return this.byPlace.size;
  }

  /** Whether there is an entry at a place, as of an update. */
  has(place: Place, update = Infinity): boolean {
    const entry = this.byPlace.get(keyOfPlace(place));
    return entry !== undefined && entry.since <= update;
  }

  /** Adds entries, of which some may be known, by an update with a number. */
  add(entries: Iterable<UnsealedEntry>, update: number): void {
    for (const entry of entries) {
      const key = keyOfPlace(entry);
      const known = this.byPlace.get(key);
      if (known && known.at >= entry.at) continue;
      const kept = { ...entry, ofTerms: new Set(entry.terms), since: known?.since ?? update };
      this.byPlace.set(key, kept);
      if (known) this.remove(known);
      this.insert(kept);
    }
  }

  /** Drops the entries that were added up to a moment. */
  drop(through: number): void {
    const before = this.size;
    for (const [key, { at }] of this.byPlace) if (at <= through) this.byPlace.delete(key);
    if (this.size < before) this.sort();
  }

  /** The entries that have all of the given terms, from a place on, in the order of the list or against it. */
  find(terms: readonly string[], { after, reversed, limit }: PlaceSlice): Place[] {
    const lists = terms.map((term) => this.byTerm.get(term) ?? []);
    const shortest = lists.reduce(
      (least, list) => (list.length < least.length ? list : least),
      lists[0] ?? [],
    );
    const found: Place[] = [];
    for (let n = 0; n < shortest.length && found.length < limit; n++) {
      const entry = shortest[reversed ? n : shortest.length - 1 - n];
      if (entry === undefined || (after && comparePlaces(entry, after) * (reversed ? -1 : 1) <= 0)) continue;
      if (terms.every((term) => entry.ofTerms.has(term))) found.push({ rank: entry.rank, id: entry.id });
    }
    return found;
  }

  /** All entries that were added up to a moment, in the order of the list. */
  through(moment: number): UnsealedEntry[] {
    return [...this.byPlace.values()].filter(({ at }) => at <= moment).sort(comparePlaces);
  }

  private insert(entry: Kept): void {
    for (const term of entry.ofTerms) {
      const entries = this.byTerm.get(term);
      if (entries === undefined) {
        this.byTerm.set(term, [entry]);
        continue;
      }
      entries.splice(countUpTo(entries, entry), 0, entry);
    }
  }

  private remove(entry: Kept): void {
    for (const term of entry.ofTerms) {
      const entries = this.byTerm.get(term) ?? [];
      const index = countUpTo(entries, entry) - 1;
      if (entries[index] === entry) entries.splice(index, 1);
      if (entries.length === 0) this.byTerm.delete(term);
    }
  }

  private sort(): void {
    this.byTerm = new Map();
    for (const entry of [...this.byPlace.values()].sort((a, b) => comparePlaces(b, a))) this.insert(entry);
  }
}

/** How many of the entries of a term, which are in the order of `byTerm`, come up to a place. */
function countUpTo(entries: readonly Place[], place: Place): number {
  let [low, high] = [0, entries.length];
  // New entries of most lists belong at the end.
  let middle = high - 1;
  while (low < high) {
    if (comparePlaces(entries[middle] ?? place, place) >= 0) low = middle + 1;
    else high = middle;
    middle = (low + high) >> 1;
  }
  return low;
}

/** Which entries are asked for. */
export interface PlaceSlice {
  /** The place after which they begin, in the direction of reading. */
  readonly after?: Place | undefined;
  /** Whether to read against the order of the list. */
  readonly reversed: boolean;
  readonly limit: number;
}
