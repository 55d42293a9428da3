import { compareIds } from '../base/ids';
import { MAX_ENTRY_BYTES, MAX_ENTRY_TERMS } from './postings.table';

/** The place of an entry in its list: lists are in descending order of rank, then of id. */
export interface Place {
  /** 0 to 255. */
  readonly rank: number;
  /** A 64-bit id in decimal, 0 or greater. */
  readonly id: string;
}

/** An entry of a list, with the terms by which it is found. */
export interface Entry extends Place {
  readonly terms: readonly string[];
}

/** The separator of two terms in a text. */
const BETWEEN_TERMS = '\n';

/** The terms of an entry as one text. */
export function joinTerms(terms: readonly string[]): string {
  return terms.join(BETWEEN_TERMS);
}

/** The terms in a text of `joinTerms`. */
export function splitTerms(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split(BETWEEN_TERMS);
}

/** Throws unless an entry has few and short enough terms, without line breaks: what maintains a list has many entries in memory. */
export function requireBounded({ id, terms }: Entry): void {
  let bytes = 0;
  for (const term of terms) bytes += Buffer.byteLength(term);
  if (terms.length > MAX_ENTRY_TERMS || bytes > MAX_ENTRY_BYTES)
    throw new Error(
      `An entry must have at most ${MAX_ENTRY_TERMS} terms, of ${MAX_ENTRY_BYTES} bytes together, but ${id} has ${terms.length} of ${bytes} bytes.`,
    );
  const broken = terms.find((term) => term === '' || term.includes(BETWEEN_TERMS));
  if (broken !== undefined)
    throw new Error(
      `A term must have letters and no line break, but one of ${id} is: ${JSON.stringify(broken)}`,
    );
}

/** The bytes that an entry takes in memory, and those that each of its terms takes besides its letters. */
const BYTES_PER_ENTRY = 100;
const BYTES_PER_TERM = 40;

/** About how many bytes an entry takes in memory while it is sealed or merged. */
export function measureEntry({ terms }: Pick<Entry, 'terms'>): number {
  let bytes = BYTES_PER_ENTRY;
  for (const term of terms) bytes += BYTES_PER_TERM + 2 * term.length;
  return bytes;
}

/** Orders places as lists do: higher ranks first, then higher ids. */
export function comparePlaces(a: Place, b: Place): number {
  return b.rank - a.rank || compareIds(b.id, a.id);
}

/** The place that comes later in the order of lists. */
export function laterOf(a: Place | undefined, b: Place): Place {
  return a === undefined || comparePlaces(b, a) > 0 ? b : a;
}

/** A text that is equal for equal places. */
export function keyOfPlace({ rank, id }: Place): string {
  return `${rank} ${id}`;
}

/** How many bytes a place takes in `segment_entries`: one for the rank, eight for the id. */
const PLACE_BYTES = 9;

/** Serializes places. */
export function encodePlaces(places: readonly Place[]): Buffer {
  const encoded = Buffer.allocUnsafe(PLACE_BYTES * places.length);
  places.forEach(({ rank, id }, index) => {
    encoded[PLACE_BYTES * index] = rank;
    encoded.writeBigInt64BE(BigInt(id), PLACE_BYTES * index + 1);
  });
  return encoded;
}

/** How many places were serialized. */
export function placesIn(encoded: Buffer): number {
  return encoded.length / PLACE_BYTES;
}

/** The serialized place with an index. */
export function placeAt(encoded: Buffer, index: number): Place {
  return {
    rank: encoded[PLACE_BYTES * index] ?? 0,
    id: String(encoded.readBigInt64BE(PLACE_BYTES * index + 1)),
  };
}

/** How many of the serialized places, which are in the order of lists, come before a place. */
export function countBefore(encoded: Buffer, { rank, id }: Place): number {
  const wanted = BigInt(id);
  let [low, high] = [0, placesIn(encoded)];
  while (low < high) {
    const middle = (low + high) >> 1;
    const rankThere = encoded[PLACE_BYTES * middle] ?? 0;
    const isBefore =
      rankThere === rank ? encoded.readBigInt64BE(PLACE_BYTES * middle + 1) > wanted : rankThere > rank;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}
