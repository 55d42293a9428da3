import { createGrowingCache } from '../base/growing-cache';
import type { ListSlice, PageKey, Statement } from '../cassandra/statement';
import { encodePosition, decodePosition } from './list-buckets';
import type { Load } from '../reads/load';
import { adjacentValue, type Position, type PositionValue } from './cursor';
import { rowsOfSlice, SPLIT_BOUNDS, sourceOf, type List, type Slice } from './list-parts';
import { stretchesFrom, type BoundedStretch } from './stretches';

/** A table of lists, as they are read. */
export interface BucketTable<R extends ListRow, O extends string> {
  readonly name: string;
  readonly clustering: readonly string[];
  readonly slice: Statement<
    PageKey<Record<O, string> & { bucket: number | null }, O | 'bucket'>,
    ListSlice<R>
  >;
}

interface ListRow {
  readonly isSplit: boolean | null;
}

type Key = readonly PositionValue[];

/**
 * Creates the list of one owner. It is one partition until that has become full, and the partition itself tells whether
 * there are others. So a page of most lists is one read; `list_buckets` is read only for lists that were split.
 */
export function bucketList<R extends ListRow, O extends string>(
  load: Load,
  table: BucketTable<R, O>,
  owner: Record<O, string>,
  position: (row: R) => Key,
): List<R> {
  const [ownerId = ''] = Object.values<string>(owner);
  const read = (bucket: number, slice: Slice & { readonly end?: Key | undefined }) =>
    load(table.slice, { ...owner, bucket, ...slice });
  const name = `${table.name} ${ownerId}`;
  return {
    name,
    bounds: SPLIT_BOUNDS,
    async parts({ from, backwards, limit }) {
      const start = startKeyOf(from);
      const isKnownToBeSplit = from?.bucket === SPLIT || splitLists.has(name);
      // Clients can make up cursors: this refuses values that do not have the types of the table, as a read does.
      if (isKnownToBeSplit) table.slice.bind({ ...owner, bucket: 0, after: start, limit });
      const firstSlice = { after: start, reversed: backwards, limit: limit + 1 };
      const first = isKnownToBeSplit ? null : await read(0, firstSlice);
      if (first !== null && !isSplitBy(first.statics, start)) {
        // The page begins with the slice that told that the list is not split. Others are read if some of its rows are hidden.
        const source = sourceOf(async (slice) => (await read(0, slice)).rows, position);
        const begun = rowsOfSlice(first.rows, firstSlice, position);
        return [{ start: { bucket: 0, key: start ?? [] }, sources: [source], first: begun }];
      }
      if (first?.statics?.isSplit === true) splitLists.set(name, true);
      const listKey = { owner: ownerId, list: table.name };
      const stretches = await stretchesFrom(load, listKey, firstKeyFrom(start, backwards), backwards);
      return stretches.map((stretch, index) => {
        // Rows beyond the stretch belong to another one.
        const edge = backwards ? stretch.until : stretch.since;
        const end = edge === '' ? undefined : decodePosition(edge);
        return {
          start: { bucket: SPLIT, key: (index === 0 ? start : edgeOf(stretch, backwards)) ?? [] },
          sources: [stretch.bucket, ...stretch.others].map((bucket) =>
            sourceOf(async (slice) => (await read(bucket, { ...slice, end })).rows, position),
          ),
        };
      });
    },
    position,
  };
}

/** The newest rows of an owner's list, at most `limit`, and the static columns of their partition; undefined if the list was split. */
export async function newestRows<R extends ListRow, O extends string>(
  load: Load,
  table: BucketTable<R, O>,
  owner: Record<O, string>,
  limit: number,
): Promise<ListSlice<R> | undefined> {
  const slice = await load(table.slice, { ...owner, bucket: 0, after: undefined, reversed: false, limit });
  return isSplitBy(slice.statics, undefined) ? undefined : slice;
}

/**
 * Lists that this process has seen to be split. Bucket 0 is not read to find that out again: what was removed from its beginning would be
 * passed each time. Of a list that is not split any more, because its owner was deleted and came back, a page takes one read more.
 */
const splitLists = createGrowingCache<true>(50_000);

/** The bucket in cursors of lists that are split, so that a page does not read bucket 0 to find that out. In others it is 0. */
const SPLIT = 1;

/** Whether a list is split, by the static columns of bucket 0. An empty partition has none, but nor are they read after its last row. */
export function isSplitBy(statics: Partial<ListRow> | null, start: Key | undefined): boolean {
  return statics === null ? start !== undefined : statics.isSplit === true;
}

/** The key after which a page of such a list begins; undefined for the beginning of the list. */
export function startKeyOf(from: Position | null): Key | undefined {
  return from === null || from.key.length === 0 ? undefined : from.key;
}

/** The key of the first row that there may be after a position: before it may be the end of a stretch that has no more. */
function firstKeyFrom(start: Key | undefined, backwards: boolean): string | undefined {
  if (start === undefined) return undefined;
  return encodePosition(backwards ? [...start.slice(0, -1), adjacentValue(start.at(-1) ?? '0', 1)] : start);
}

/** The position after which a stretch is read from its beginning. */
function edgeOf({ since, until }: BoundedStretch, backwards: boolean): Key | undefined {
  if (!backwards) return until === '' ? undefined : decodePosition(until);
  if (since === '') return undefined;
  const key = decodePosition(since);
  return [...key.slice(0, -1), adjacentValue(key.at(-1) ?? '0', -1)];
}
