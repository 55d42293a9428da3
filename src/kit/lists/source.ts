import type { Database, Write } from '../cassandra/database';
import type { Statement } from '../cassandra/statement';
import type { AnyTable, Columns, RowOf, StoredRow, Table } from '../cassandra/table';
import { readMany } from '../reads/load';
import { removalOf, writeOf } from '../cassandra/write';
import { tallies, tallyShardOf, type Membership } from '../work/tally';

/** A rule that decides which rows lists have: it reads facts, such as a like. The properties of a fact are columns of lists. */
interface Decider<S extends object> {
  /** The table that decides. */
  readonly table: AnyTable;
  /** The key of the facts that a primary key of the table belongs to, as text; null if lists have no rows of it. */
  keyOf(this: void, primaryKey: StoredRow): string | null;
  /** The same key, from the values of a row of a list by their names in a fact. */
  keyIn(this: void, fact: StoredRow): string;
  /** Reads the facts of some keys as they are now. */
  read(this: void, database: Database, keys: readonly string[]): Promise<readonly S[]>;
  /** The write time of the rows of a fact in microseconds, so that the later decision wins; undefined where rows never change. */
  timeOf(this: void, fact: S): number | undefined;
  /** The list of a tally that decides, if one does. */
  readonly tally?: string;
  /** Whether a row without a fact is no error, because its fact is about to be stored. */
  isTransient?(this: void, row: StoredRow): boolean;
}

/**
 * The source that the rows of a list follow from. `names` has the columns whose names differ from those of a fact, `values` those that have
 * the same value in all rows.
 */
export interface From<S extends object> {
  readonly decider: Decider<object>;
  readonly names: Readonly<Record<string, string>>;
  readonly values?: StoredRow;
  readonly _?: S;
}

/** A list, as far as its rows follow from a source. */
export interface DerivableList extends Table<Columns, string, string> {
  readonly owner: string;
  /** The source that its rows follow from, if the list declares one. */
  readonly from: From<object> | undefined;
  /** The owner of the partitions with a row, if that is made of other columns. */
  ownerFor?(this: void, row: StoredRow): string;
}

/** Whether a table is a list that says what its rows follow from. */
export function isDerivable(table: object): table is DerivableList {
  return 'from' in table && table.from !== undefined;
}

/** A source that lists follow from. */
interface RowSource<S extends object> extends From<S> {
  /** The same for a list that names columns otherwise: `{ column: property of the fact }`, or has others: `{ column: value }`. */
  as<const N extends Readonly<Record<string, keyof S & string>>>(
    this: void,
    names: N,
    values?: StoredRow,
  ): From<S & { [P in keyof N]: S[N[P]] }>;
}

/** Declares what lists follow from. */
export function source<S extends object>(decides: Decider<S>): RowSource<S> {
  // The type of the facts is left out, so that lists of all sources have one type.
  const decider = decides as Decider<object>;
  return { decider, names: {}, as: (names, values) => ({ decider, names, ...(values && { values }) }) };
}

/** Rows that are stored by id, such as tweets, which lists have in several orders. */
export function stored<C extends Columns, const P extends keyof C & string>(
  table: Table<C, P, never> & AnyTable,
  isTransient?: (row: StoredRow) => boolean,
): RowSource<RowOf<C>> {
  const [key] = table.partition as readonly [P];
  const get: Statement<Pick<RowOf<C>, P>, RowOf<C> | null> = table.get;
  return source<RowOf<C>>({
    table,
    keyOf: (row) => String(row[key]),
    keyIn: (row) => String(row[key]),
    async read(database, keys) {
      const named = keys.map((value) => ({ [key]: value }) as Pick<RowOf<C>, P>);
      return (await readMany(database, get, named)).filter((row) => row !== null);
    },
    timeOf: () => undefined,
    ...(isTransient && { isTransient }),
  });
}

/**
 * A membership as lists have it: its owner, member and beginning, by the names that `membership` was given, and the time of the decision.
 */
type Member<O extends string, M extends string, T extends string> = Readonly<
  Record<O | M, string> & Record<T | 'at', Date>
>;

/** The memberships of a list of a tally, such as the likes of tweets, of which lists of both sides have rows. */
export interface MembershipSource<O extends string, M extends string, T extends string> extends RowSource<
  Member<O, M, T>
> {
  /** The list of the tally. */
  readonly tally: string;
  /** Returns the writes that make the rows of lists equal to a membership: they add, or remove, its rows. */
  writes(this: void, lists: readonly DerivableList[], owner: string, member: string, said: Said): Write[];
}
type Said = Pick<Membership, 'present' | 'since' | 'at'>;

/**
 * Declares the memberships of a list of a tally, and how lists name the owner, the member and since when it is one. `ofExisting` reads
 * the owner: memberships of owners that do not exist any more give no rows.
 */
export function membership<const O extends string, const M extends string, const T extends string>(
  tally: string,
  names: { readonly owner: O; readonly member: M; readonly since: T },
  ofExisting?: Statement<Readonly<Record<O, string>>, object | null>,
): MembershipSource<O, M, T> {
  type S = Member<O, M, T>;
  const factOf = (owner: string, member: string, since: Date, at: Date) =>
    ({ [names.owner]: owner, [names.member]: member, [names.since]: since, at }) as S;
  const ownSource = source<S>({
    ...{ table: tallies, tally },
    // The row of member 0 has the count of the list, and may also have the membership of the one with id 0.
    keyOf: (row) => (row['list'] === tally ? `${String(row['owner'])} ${String(row['member'])}` : null),
    keyIn: (row) => `${String(row[names.owner])} ${String(row[names.member])}`,
    async read(database, keys) {
      const named = keys.map((key) => {
        const [owner = '', member = ''] = key.split(' ');
        return { owner, shard: tallyShardOf(member), member, list: tally };
      });
      const owners = named.map(({ owner }) => ({ [names.owner]: owner }) as Record<O, string>);
      const [found, memberships] = await Promise.all([
        ofExisting && readMany(database, ofExisting, owners),
        readMany(database, tallies.get, named),
      ]);
      return named.flatMap(({ owner, member }, index) => {
        const { present, since, at } = memberships[index] ?? {};
        const isGone = found?.[index] === null;
        return isGone || present !== true || !since || !at ? [] : [factOf(owner, member, since, at)];
      });
    },
    timeOf: ({ at }) => Number(at) * 1000,
  });
  return {
    ...{ ...ownSource, tally },
    writes(lists, owner, member, { present, since, at }) {
      if (since === null || at === null) return [];
      return (present ? writesFrom : removalsFrom)(lists, factOf(owner, member, since, at));
    },
  };
}

/** The rows of a fact in lists; a list has none if a value of its key is missing. */
function rowsFrom(lists: readonly DerivableList[], fact: object) {
  return lists.flatMap((list) => {
    const { from } = list;
    if (from === undefined) throw new Error(`${list.name} must say what its rows follow from.`);
    const { decider, names, values } = from;
    const row: Record<string, unknown> = { ...fact, ...values };
    for (const [property, ofFact] of Object.entries(names)) row[property] = Reflect.get(fact, ofFact);
    if (list.ownerFor) row[list.owner] = list.ownerFor(row);
    const isListed = [list.owner, ...list.clustering].every((property) => row[property] != null);
    return isListed ? [{ list, row, at: decider.timeOf(fact) }] : [];
  });
}

/** The writes of the rows that lists have of a fact. */
export function writesFrom(lists: readonly DerivableList[], fact: object): Write[] {
  return rowsFrom(lists, fact).map(({ list, row, at }) =>
    writeOf<Columns, string, string>(list, row, at === undefined ? undefined : { at }),
  );
}

/** The removals of the rows that lists have of a fact; `at` is their write time in microseconds, by default that of the fact. */
export function removalsFrom(lists: readonly DerivableList[], fact: object, at?: number): Write[] {
  return rowsFrom(lists, fact).map(({ list, row, at: ofFact }) =>
    removalOf<Columns, string, string>(list, row, at ?? ofFact),
  );
}

/** Returns the parts of a list and its source that rebuilding and verifying need. */
export function derivationOf(list: DerivableList) {
  const { from } = list;
  if (from === undefined) throw new Error(`${list.name} must say what its rows follow from.`);
  const { decider, names } = from;
  const { table, keyOf, keyIn, read, isTransient } = decider;
  return {
    table: list,
    sources: [
      {
        table,
        keyOf,
        async *writesOf({ database }: { readonly database: Database }, keys: readonly string[]) {
          yield (await read(database, keys)).flatMap((fact) => writesFrom([list], fact));
        },
      },
    ],
    sourceKeyOf: (row: StoredRow) =>
      keyIn(
        Object.fromEntries(Object.keys(row).map((property) => [names[property] ?? property, row[property]])),
      ),
    ...(isTransient && { isTransient: (_context: unknown, row: StoredRow) => isTransient(row) }),
  };
}
