import { countWhile } from '../base/binary-search';
import { idOf, int, ints, label, optional, staticColumn, timestamp } from '../cassandra/column';
import { type Row, table } from '../cassandra/table';
import type { Load } from '../reads/load';

/** The most buckets besides its own that may have rows of a stretch: a page reads them all. */
export const MAX_OTHERS = 7;

/**
 * The partitions of split lists, by where they begin, newest first. A list that was never split has no row: all of it is in bucket 0.
 * `buckets` counts the buckets of the list, 0 included.
 */
export const listBuckets = table(
  'list_buckets',
  {
    owner: idOf('User', 'Tweet', 'Article', 'Day', 'Cell'),
    list: label,
    since: label,
    bucket: int,
    others: ints(MAX_OTHERS),
    effectiveAt: timestamp,
    buckets: staticColumn(optional(int)),
  },
  {
    role: { kind: 'truth', why: 'it says where the partitions of split lists begin' },
    writeLoad: {
      rows: { push: 0.0001, like: 0.0001, tweet: 0.0001 },
      transactions: { push: 0.0001, like: 0.0001, tweet: 0.0001 },
      bytes: 60,
      spread: { over: 'subjects' },
      most: 10_000,
    },
    partition: ['owner', 'list'],
    clustering: ['since'],
  },
);

/** A stretch of a list, from a position to that where the next newer stretch begins. */
export interface Stretch {
  /** The oldest position of the stretch, as `encodePosition` gives it; empty for the oldest stretch. */
  readonly since: string;
  /** The bucket to which new rows of the stretch are written. */
  readonly bucket: number;
  /** Further buckets that may have rows of the stretch, because it was a part of theirs when they were written. */
  readonly others: readonly number[];
  /** The moment from which new rows go to `bucket`. Before that they go to the first of `others`. */
  readonly effectiveAt: Date;
}

/** The stretch of a list that was never split: all of the list, in bucket 0. */
export const INITIAL_STRETCH: Stretch = { since: '', bucket: 0, others: [], effectiveAt: new Date(0) };

/** The most stretches that are read of one list at once: a list of 10^8 rows has about 10,000, and one of 10^8 comments would have as many as this. */
export const MAX_STRETCHES = 50_000;

/** The stretches of a list, newest first; the last one is the oldest. `rows` are all of the list in `list_buckets`. */
export function stretchesIn(rows: readonly Row<typeof listBuckets>[]): readonly Stretch[] {
  const declared = rows.map(({ since, bucket, others, effectiveAt }) => ({
    since,
    bucket,
    others: others ?? [],
    effectiveAt,
  }));
  return declared.at(-1)?.since === '' ? declared : [...declared, INITIAL_STRETCH];
}

/** The stretch of a position. `stretches` are those of a list, newest first. */
export function stretchAt(stretches: readonly Stretch[], key: string): Stretch {
  const index = countWhile(stretches, ({ since }) => since > key);
  return stretches[index] ?? stretches.at(-1) ?? INITIAL_STRETCH;
}

/** A moment and an id, or an id alone. */
type Position = readonly (Date | string)[];

const TIME_DIGITS = 14;
const ID_DIGITS = 16;
/** Added to a time so that it is positive: JavaScript's times are less than 2^53 milliseconds away from 1970. */
const TIME_OFFSET = 2n ** 53n;
const ID_OFFSET = 2n ** 63n;

/** A position in a list as a text: texts are ordered as the positions are. A moment takes 14 hexadecimal digits, an id 16. */
export function encodePosition(position: Position): string {
  return position
    .map((value) =>
      value instanceof Date
        ? (BigInt(Number(value)) + TIME_OFFSET).toString(16).padStart(TIME_DIGITS, '0')
        : (BigInt(value) + ID_OFFSET).toString(16).padStart(ID_DIGITS, '0'),
    )
    .join('');
}

/** The next greater key. */
export function keyAfter(key: string): string {
  return (BigInt(`0x${key}`) + 1n).toString(16).padStart(key.length, '0');
}

/** The position that a key of `encodePosition` stands for. */
export function decodePosition(key: string): Position {
  const hasTime = key.length % ID_DIGITS !== 0;
  const id = String(BigInt(`0x${key.slice(hasTime ? TIME_DIGITS : 0)}`) - ID_OFFSET);
  if (!hasTime) return [id];
  return [new Date(Number(BigInt(`0x${key.slice(0, TIME_DIGITS)}`) - TIME_OFFSET)), id];
}

/** Reads the numbers of all buckets of a list, used or not. */
export async function bucketsOfList(
  load: Load,
  { name }: { readonly name: string },
  owner: string,
): Promise<readonly number[]> {
  const [newest] = await load(listBuckets.page, { owner, list: name, limit: 1 });
  return Array.from({ length: newest?.buckets ?? 1 }, (_, bucket) => bucket);
}
