import { shardOf } from '../base/shard-of';
import type { SegmentList } from './segment-list';

/** A list, and how many parts it has as far as a server knows. */
export interface DividedList {
  readonly list: string;
  readonly parts: number;
}

/**
 * A part of a list: the entries whose ids have the same remainder when they are divided by the number of parts. Each part has partitions of its own for its unsealed entries and for what its
 * segments are, and another server may maintain each. All parts share the partitions of postings, so that a search reads no more of them.
 */
export interface IndexPart {
  readonly list: string;
  readonly number: number;
  /** The number of parts of the list. */
  readonly of: number;
  /** The key of its partitions. The first part has the name of the list. */
  readonly name: string;
  /** The name of the lease of the server that changes its segments. */
  readonly lease: string;
}

/** A part of a list, as a server knows it. */
export interface PartView extends IndexPart {
  /** Its live segments. */
  readonly segments: SegmentList;
  /** Changes with each change of its segments. */
  readonly version: string | null;
  /** The moment up to which the added entries are in segments, in milliseconds since 1970. */
  readonly sealedThrough: number;
  /** Changes whenever entries are sealed or segments merged; null before the first time: see `commitMaintained`. */
  readonly maintained: string | null;
}

/** A part of a list; by default the only one. */
export function partOf(list: string, number = 0, of = 1): IndexPart {
  const name = number === 0 ? list : `${list} ${number}`;
  return { list, number, of, name, lease: `postings ${name}` };
}

/** The part to which an entry is added. Servers may know different numbers of parts: readers look in all of them. */
export function partFor({ list, parts }: DividedList, id: string): IndexPart {
  return partOf(list, shardOf(id, parts), parts);
}
