import { comparePlaces, keyOfPlace, type Entry, type Place } from './entry';

/** An entry that is in no segment yet. */
export interface UnsealedEntry extends Entry {
  /** When it was added, in milliseconds since 1970. */
  readonly at: number;
  /** The number of the part of the list to which it was added. */
  readonly part: number;
}

interface Kept extends Place {
  readonly at: number;
  readonly part: number;
  /** The number of the update by which the place became known. */
  readonly since: number;
  /** Whether the place was added again later, so that this one counts no more. */
  isReplaced: boolean;
}

/** The bytes in memory of an entry, of a term besides its letters, and of an entry of a term. */
const BYTES_PER_ENTRY = 320;
const BYTES_PER_TERM = 80;
const BYTES_PER_POSTING = 16;
/** The size from which a tail is large: then entries are dropped only when they are a quarter of all. */
const LARGE = 50_000;

/**
 * The entries of a list that are in no segment yet, in memory. If a place was added twice, the later terms count. The terms of an
 * entry are not kept with it, because it would then take twice the memory: it has a term if it is among the entries of that.
 */
export class Tail {
  private readonly byPlace = new Map<string, Kept>();
  /** The entries of each term, last in the list first, because most new entries are the first of the list. A single one stands alone. */
  private byTerm = new Map<string, Kept | Kept[]>();
  private taken = 0;
  /** The moments of the last drop, for each part. */
  private dropped: readonly number[] = [];

  /** How many entries there are. */
  get size(): number {
    return this.byPlace.size;
  }

  /** About how many bytes of memory they take. */
  get bytes(): number {
    return this.taken;
  }

  /** Whether there is an entry at a place, as of an update. */
  has(place: Place, update = Infinity): boolean {
    const entry = this.byPlace.get(keyOfPlace(place));
    return entry !== undefined && entry.since <= update;
  }

  /** Whether an entry, or one that was added to its place later, is known. */
  knows({ at, ...place }: Place & { readonly at: number }): boolean {
    return (this.byPlace.get(keyOfPlace(place))?.at ?? -Infinity) >= at;
  }

  /** Adds an entry, which may be known, by an update with a number. */
  add({ rank, id, at, part, terms }: UnsealedEntry, update: number): void {
    const key = keyOfPlace({ rank, id });
    const known = this.byPlace.get(key);
    if (known && known.at >= at) return;
    if (known) known.isReplaced = true;
    const entry = { rank, id, at, part, since: known?.since ?? update, isReplaced: false };
    this.byPlace.set(key, entry);
    this.taken += BYTES_PER_ENTRY;
    for (const term of new Set(terms)) this.insert(term, entry);
  }

  /**
   * Drops the entries that were added up to a moment, which is given for each part by its number. From a large tail it drops only if they
   * are many. Does nothing if the moments are those of the last drop.
   */
  drop(through: readonly number[]): void {
    // All entries are looked at, which is much work for a large tail, and the moments change only when entries were sealed.
    if (isEqual(through, this.dropped)) return;
    this.dropped = [...through];
    const isLeft = ({ at, part }: Kept) => at > (through[part] ?? -Infinity);
    let count = 0;
    for (const entry of this.byPlace.values()) if (!isLeft(entry)) count++;
    // All terms are looked at, which is more work, and what is dropped later is harmless.
    if (count <= (this.size > LARGE ? this.size / 4 : 0)) return;
    for (const [key, entry] of this.byPlace) if (!isLeft(entry)) this.byPlace.delete(key);
    this.taken = BYTES_PER_ENTRY * this.size;
    const left = new Map<string, Kept | Kept[]>();
    for (const [term, found] of this.byTerm) {
      const entries = listOf(found);
      const kept = entries.every(isLeft) ? entries : entries.filter(isLeft);
      const [first] = kept;
      if (first === undefined) continue;
      left.set(term, kept === entries ? found : kept.length === 1 ? first : [...kept]);
      this.taken += measureTerm(term) + BYTES_PER_POSTING * kept.length;
    }
    this.byTerm = left;
  }

  /** The entries that have all of the given terms, from a place on, in the order of the list or against it. */
  find(terms: readonly string[], { after, reversed, limit }: PlaceSlice): Place[] {
    const lists = terms
      .map((term) => listOf(this.byTerm.get(term)))
      .sort((one, other) => one.length - other.length);
    const [shortest = [], ...others] = lists;
    // The next entry is before the last one in the order of the list, so it is searched from there.
    const ends = others.map((list) => list.length);
    const hasAll = (entry: Kept) =>
      others.every((list, index) => {
        const count = countUpTo(list, entry, reversed ? list.length : ends[index]);
        ends[index] = count;
        return list[count - 1] === entry;
      });
    const found: Place[] = [];
    for (let n = 0; n < shortest.length && found.length < limit; n++) {
      const entry = shortest[reversed ? n : shortest.length - 1 - n];
      if (entry === undefined || entry.isReplaced) continue;
      if (after && comparePlaces(entry, after) * (reversed ? -1 : 1) <= 0) continue;
      if (hasAll(entry)) found.push({ rank: entry.rank, id: entry.id });
    }
    return found;
  }

  /**
   * Counts the entries that were added after a moment, up to another one, of one part or of all. Also returns when the oldest of them was
   * added: never if there is none. Looks at all entries.
   */
  between(
    after: number,
    through: number,
    part?: number,
  ): { readonly entries: number; readonly oldest: number } {
    let [entries, oldest] = [0, Infinity];
    for (const { at, part: its } of this.byPlace.values()) {
      if (at <= after || at > through || (part !== undefined && its !== part)) continue;
      entries++;
      oldest = Math.min(oldest, at);
    }
    return { entries, oldest };
  }

  private insert(term: string, entry: Kept): void {
    const found = this.byTerm.get(term);
    this.taken += BYTES_PER_POSTING;
    if (found === undefined) {
      this.byTerm.set(term, entry);
      this.taken += measureTerm(term);
    } else if (Array.isArray(found)) found.splice(countUpTo(found, entry), 0, entry);
    else this.byTerm.set(term, comparePlaces(found, entry) >= 0 ? [found, entry] : [entry, found]);
  }
}

const NONE: readonly Kept[] = [];

function isEqual(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function listOf(found: Kept | readonly Kept[] | undefined): readonly Kept[] {
  if (found === undefined) return NONE;
  return 'length' in found ? found : [found];
}

function measureTerm(term: string): number {
  return BYTES_PER_TERM + 2 * term.length;
}

/** How many of the first `end` entries of a term, which are in the order of `byTerm`, come up to a place. */
function countUpTo(entries: readonly Place[], place: Place, end = entries.length): number {
  const isUpTo = (index: number) => comparePlaces(entries[index] ?? place, place) >= 0;
  let [low, high] = [end, end];
  // The search goes back from the end in growing steps, because most new entries belong there.
  for (let step = 1; low > 0 && !isUpTo(low - 1); step *= 2) {
    high = low - 1;
    low = Math.max(0, low - step);
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isUpTo(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entries that are asked for. */
export interface PlaceSlice {
  /** The place after which they begin, in the direction of reading. */
  readonly after?: Place | undefined;
  /** Whether to read against the order of the list. */
  readonly reversed: boolean;
  readonly limit: number;
}
