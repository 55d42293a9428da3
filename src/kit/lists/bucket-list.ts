import { createGrowingCache } from '../base/growing-cache';
import { shardOwners } from '../cassandra/list-shards';
import type { ListSlice, PageKey, Statement } from '../cassandra/statement';
import { encodePosition, decodePosition } from './list-buckets';
import type { Load } from '../reads/load';
import { adjacentValue, type Position, type PositionValue } from './cursor';
import { firstRowsOf, rowsOfSlice, shardedBounds, sourceOf, type List, type Slice } from './list-parts';
import { stretchesFrom, type BoundedStretch } from './stretches';

/** A table of lists, as they are read. */
export interface BucketTable<R extends ListRow, O extends string> {
  readonly name: string;
  readonly clustering: readonly string[];
  /** The number of shards of each list; 1 by default. */
  readonly shards?: number;
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
 * Creates the list of one owner. It is one partition until that has become full, and the partition itself tells whether there are others.
 * So a page of most lists is one read; `list_buckets` is read only for lists that were split. If a list is divided into shards, each bucket
 * is one partition of each shard.
 */
export function bucketList<R extends ListRow, O extends string>(
  load: Load,
  table: BucketTable<R, O>,
  owner: Record<O, string>,
  position: (row: R) => Key,
): List<R> {
  const [property = '', ownerId = ''] = Object.entries<string>(owner)[0] ?? [];
  const { shards = 1 } = table;
  const owners = shardOwners({ shards }, ownerId).map((one) => ({ [property]: one }) as Record<O, string>);
  const read = (of: Record<O, string>, bucket: number, slice: Slice & { readonly end?: Key | undefined }) =>
    load(table.slice, { ...of, bucket, ...slice });
  const sourcesIn = (bucket: number, end?: Key) =>
    owners.map((of) => sourceOf(async (slice) => (await read(of, bucket, { ...slice, end })).rows, position));
  const name = `${table.name} ${ownerId}`;
  return {
    name,
    bounds: shardedBounds(shards),
    async parts({ from, backwards, limit }) {
      const start = startKeyOf(from);
      const isKnownToBeSplit = from?.bucket === SPLIT || splitLists.has(name);
      // Clients can make up cursors: this refuses values that do not have the types of the table, as a read does.
      if (isKnownToBeSplit) table.slice.bind({ ...owner, bucket: 0, after: start, limit });
      const firstSlice = { after: start, reversed: backwards, limit: firstRowsOf(shards, limit + 1) };
      const first = isKnownToBeSplit ? null : await Promise.all(owners.map((of) => read(of, 0, firstSlice)));
      if (first !== null && !areSplitBy(first, start)) {
        // The page begins with the slices that have shown that the list is not split. Further slices are read if some of its rows are
        // hidden.
        const begun = first.map(({ rows }) => rowsOfSlice(rows, firstSlice, position));
        return [{ start: { bucket: 0, key: start ?? [] }, sources: sourcesIn(0), begun }];
      }
      if (first?.some(({ statics }) => statics?.isSplit === true)) splitLists.set(name, true);
      const listKey = { owner: ownerId, list: table.name };
      const stretches = await stretchesFrom(load, listKey, firstKeyFrom(start, backwards), backwards);
      return stretches.map((stretch, index) => {
        // Rows beyond the stretch belong to another one.
        const edge = backwards ? stretch.until : stretch.since;
        const end = edge === '' ? undefined : decodePosition(edge);
        return {
          start: { bucket: SPLIT, key: (index === 0 ? start : edgeOf(stretch, backwards)) ?? [] },
          sources: [stretch.bucket, ...stretch.others].flatMap((bucket) => sourcesIn(bucket, end)),
          // Most of its rows are in its own bucket.
          ...(shards > 1 && { shares: shards }),
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
 * Lists that this process has seen to be split. Bucket 0 is not read again to find that out, because a read would pass the tombstones at
 * its beginning each time. If a list is not split any more, because its owner was deleted and came back, a page takes one read more.
 */
const splitLists = createGrowingCache<true>(50_000);

/** The bucket in cursors of split lists, so that a page does not read bucket 0 to find out that the list is split. In others it is 0. */
const SPLIT = 1;

/** Whether a list is split, by the static columns of bucket 0. An empty partition has none, but nor are they read after its last row. */
export function isSplitBy(statics: Partial<ListRow> | null, start: Key | undefined): boolean {
  return statics === null ? start !== undefined : statics.isSplit === true;
}

/** Whether a list is split, by what was read of bucket 0 of each shard: all shards have the same buckets, so one that tells is enough. */
function areSplitBy(first: readonly ListSlice<ListRow>[], start: Key | undefined): boolean {
  const known = first.filter(({ statics }) => statics !== null);
  if (known.length === 0) return isSplitBy(null, start);
  return known.some(({ statics }) => isSplitBy(statics, start));
}

/** The key after which a page of such a list begins; undefined for the beginning of the list. */
export function startKeyOf(from: Position | null): Key | undefined {
  return from === null || from.key.length === 0 ? undefined : from.key;
}

/**
 * Returns the key of the first row that may follow a position. The position itself may be the end of a stretch that has no further rows.
 */
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
