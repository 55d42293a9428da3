import { idOf, type Column } from '../cassandra/column';
import { listOwnerOf, shardOwnerFor } from '../cassandra/list-shards';
import type { WriteLoad } from '../cassandra/write-load';
import { listTable, type Columns, type ListTable, type StoredRow } from '../cassandra/table';
import type { Load } from '../reads/load';
import { bucketList, type BucketTable } from './bucket-list';
import type { PositionValue } from './cursor';
import type { List } from './list-parts';
import type { From } from './source';

/**
 * The day of a list, as its partitions name it: the digits of the day, and if days are divided those of a shard. 2026103107 is share 7 of
 * the last day of October.
 */
type DayColumn = Readonly<Record<'day', Column<string>>>;

type MomentOf<C> = { [P in keyof C]: C[P] extends Column<Date> ? P : never }[keyof C] & string;

/** Lists of what has one UTC day, newest first. */
interface DayList<C extends Columns, K extends keyof C & string, M extends string> extends ListTable<
  C & DayColumn,
  'day',
  K
> {
  /** The source that the rows follow from, if that is declared. */
  readonly from: From<object> | undefined;
  /** Returns the owner of the partitions that may have a row. */
  ownerFor(this: void, row: StoredRow): string;
  /** The same, as the part of a row's key that says it. */
  dayFor(this: void, row: Readonly<Record<K, string> & Record<M, Date>>): Readonly<Record<'day', string>>;
}

/**
 * Declares lists of things of one UTC day, which `moment` says. `order` is the id of a row. With `shards` each day is divided into so many
 * equal shares, so that no partition takes all writes: a page merges them. `from` says what each row follows from.
 */
export function dayList<C extends Columns, const K extends keyof C & string, const M extends MomentOf<C>>(
  name: string,
  columns: C,
  declared: {
    readonly moment: M;
    readonly order: K;
    readonly shards?: number;
    readonly fullRows?: number;
    readonly writeLoad: Omit<WriteLoad, 'spread'>;
    readonly from?: From<object>;
  },
): DayList<C, K, M> {
  const { moment, order, shards = 1, writeLoad, from, ...size } = declared;
  const spread = { over: 'time', seconds: 86_400, shards } as const;
  const table = listTable<C & DayColumn, 'day', K>(
    name,
    { ...columns, day: idOf('Day') },
    { owner: 'day', clustering: [order], shards, writeLoad: { ...writeLoad, spread }, ...size },
  );
  const ownerFor = (row: StoredRow) => shardOwnerFor(table, nameDay(row[moment] as Date), String(row[order]));
  return { ...table, from, ownerFor, dayFor: (row) => ({ day: ownerFor(row) }) };
}

/** The number that names the UTC day of a moment: its digits, 20261031. */
export function nameDay(moment: Date): string {
  return String(Number(moment.toISOString().slice(0, 10).replaceAll('-', '')));
}

/** The day of a partition of such lists, as `2026-10-31`. */
export function dayIn(table: { readonly shards: number }, owner: string): string {
  return listOwnerOf(table, owner)
    .padStart(8, '0')
    .replace(/(\d\d)(\d\d)$/, '-$1-$2');
}

/** A table with lists of days, as it is read: perhaps with fewer columns. */
export type DayTable<R> = BucketTable<R & { readonly isSplit: boolean | null }, 'day'>;

/** All rows of the UTC day of a moment. */
export function listDay<R extends object>(
  load: Load,
  table: DayTable<R>,
  moment: Date,
): List<R & { readonly isSplit: boolean | null }> {
  const [order = ''] = table.clustering;
  const position = (row: object) => [Reflect.get(row, order) as PositionValue];
  return bucketList(load, table, { day: nameDay(moment) }, position);
}
