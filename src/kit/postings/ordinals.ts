/** The most entries of a segment: an ordinal has 16 bits. */
export const MAX_ORDINALS = 65_536;

/**
 * A set of entries of one segment, by ordinal: 0 is the first entry in the order of the list. It is an array if it is small
 * and a bitmap otherwise, as the containers of a Roaring bitmap are (Chambi, Lemire, Kaser and Godin: Better bitmap
 * performance with Roaring bitmaps, 2016). So no set takes more than 8 KiB.
 */
export type Ordinals = Uint16Array | Bitmap;

/** A set with a bit for each ordinal. */
interface Bitmap {
  readonly bits: Uint8Array;
  readonly length: number;
}

const ARRAY = 0;
const BITMAP = 1;

/** Serializes ascending ordinals. */
export function encodeOrdinals(ordinals: readonly number[]): Buffer {
  const last = ordinals.at(-1) ?? 0;
  const bitmapBytes = (last >> 3) + 1;
  if (ordinals.length * 2 <= bitmapBytes) {
    const encoded = Buffer.allocUnsafe(1 + 2 * ordinals.length);
    encoded[0] = ARRAY;
    ordinals.forEach((ordinal, index) => encoded.writeUInt16LE(ordinal, 1 + 2 * index));
    return encoded;
  }
  const encoded = Buffer.alloc(1 + bitmapBytes);
  encoded[0] = BITMAP;
  for (const ordinal of ordinals) {
    const at = 1 + (ordinal >> 3);
    encoded[at] = (encoded[at] ?? 0) | (1 << (ordinal & 7));
  }
  return encoded;
}

/** Parses what `encodeOrdinals` has serialized. The result shares no memory with the given bytes. */
export function decodeOrdinals(encoded: Buffer): Ordinals {
  if (encoded[0] === BITMAP) {
    const bits = Uint8Array.from(encoded.subarray(1));
    return { bits, length: countBits(bits) };
  }
  const ordinals = new Uint16Array((encoded.length - 1) >> 1);
  for (let index = 0; index < ordinals.length; index++) ordinals[index] = encoded.readUInt16LE(1 + 2 * index);
  return ordinals;
}

const BITS_IN = Uint8Array.from({ length: 256 }, (_, byte) => {
  let bits = 0;
  for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1;
  return bits;
});

function countBits(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + (BITS_IN[byte] ?? 0), 0);
}

/** How much memory a set takes, in bytes. */
export function bytesOfOrdinals(ordinals: Ordinals): number {
  return 64 + (ordinals instanceof Uint16Array ? ordinals.byteLength : ordinals.bits.byteLength);
}

/** The ordinals that all of the given sets have, ascending. */
export function intersect(sets: readonly Ordinals[]): Uint16Array {
  let smallest: Uint16Array | undefined;
  for (const set of sets)
    if (set instanceof Uint16Array && set.length < (smallest?.length ?? Infinity)) smallest = set;
  if (smallest === undefined) return expanded(sets.flatMap((set) => ('bits' in set ? [set.bits] : [])));
  let common = smallest;
  for (const set of sets) {
    if (common.length === 0) break;
    if (set === smallest) continue;
    common =
      set instanceof Uint16Array ? inBoth(common, set) : common.filter((ordinal) => hasBit(set, ordinal));
  }
  return common;
}

/** The ordinals of a set that another one does not have. */
export function ordinalsWithout(ordinals: Uint16Array, excluded: Ordinals): Uint16Array {
  if (!(excluded instanceof Uint16Array)) return ordinals.filter((ordinal) => !hasBit(excluded, ordinal));
  const gone = new Set(excluded);
  return ordinals.filter((ordinal) => !gone.has(ordinal));
}

function hasBit({ bits }: Bitmap, ordinal: number): boolean {
  return ((bits[ordinal >> 3] ?? 0) & (1 << (ordinal & 7))) !== 0;
}

function inBoth(a: Uint16Array, b: Uint16Array): Uint16Array {
  const common: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [ofA, ofB] = [a[i] ?? 0, b[j] ?? 0];
    if (ofA === ofB) common.push(ofA);
    if (ofA <= ofB) i++;
    if (ofB <= ofA) j++;
  }
  // Most segments have no entry with two rare terms, and creating an array of this kind takes longer than looking for one.
  return common.length === 0 ? EMPTY : Uint16Array.from(common);
}

const EMPTY = new Uint16Array();

/** The ordinals whose bits are set in all bitmaps. */
function expanded([first, ...others]: readonly Uint8Array[]): Uint16Array {
  if (first === undefined) return new Uint16Array();
  const bytes = others.reduce((least, { length }) => Math.min(least, length), first.length);
  const both = first.slice(0, bytes);
  for (const other of others)
    for (let index = 0; index < bytes; index++) both[index] = (both[index] ?? 0) & (other[index] ?? 0);
  const ordinals = new Uint16Array(countBits(both));
  let found = 0;
  for (let index = 0; index < bytes; index++)
    for (let rest = both[index] ?? 0, bit = 0; rest > 0; rest >>= 1, bit++)
      if (rest & 1) ordinals[found++] = index * 8 + bit;
  return ordinals;
}
