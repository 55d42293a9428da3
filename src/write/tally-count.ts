import type { Write } from '../kit/cassandra/database';
import type { Columns, NewRowOf, Table } from '../kit/cassandra/table';
import { writeOf } from '../kit/cassandra/write';
import { createTally, tallies, type Tally } from '../kit/work/tally';
import { joinProperties, type DerivedTable } from './derived-table';

/** The number of members of an owner's list, as it is shown. */
export interface TallyCount {
  /** The write of the number, from the tally; none if the owner has no tally. */
  writes(this: void, tally: Tally, owner: string): Promise<Write[]>;
  /** The rules by which its table is rebuilt and verified. */
  readonly derived: DerivedTable;
}

/** Declares that a column of a table, whose key is the owner, has the number of members of a list of tallies. */
export function tallyCount<C extends Columns, const P extends keyof C & string>(
  list: string,
  table: Table<C, P, never> & DerivedTable['table'],
  column: Exclude<keyof C & string, P>,
): TallyCount {
  const [key] = table.partition as readonly [P];
  const writes = async (tally: Tally, owner: string) => {
    const { counts, version } = await tally.totals(owner);
    if (version === 0) return [];
    const row = { [key]: owner, [column]: counts.get(list) ?? 0 } as NewRowOf<C>;
    // The tally's version is the write timestamp: the newer count wins, in whatever order the writes come.
    return [writeOf<C, P, never>(table, row, { at: version })];
  };
  return {
    writes,
    derived: {
      table,
      sources: [
        {
          table: tallies,
          // The row of member 0 has the count of the list.
          keyOf: (row) =>
            row['list'] === list && row['member'] === '0' ? joinProperties(row, 'owner') : null,
          async *writesOf({ database }, owners) {
            const tally = createTally(database);
            yield (await Promise.all(owners.map((owner) => writes(tally, owner)))).flat();
          },
        },
      ],
      sourceKeyOf: (row) => joinProperties(row, key),
    },
  };
}
