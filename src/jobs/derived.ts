import { buckets, EVERYBODY } from '../kit/lists/buckets';
import { isListTable } from '../kit/cassandra/table';
import { derivationOf, isDerivable } from '../kit/lists/source';
import { writeOf } from '../kit/cassandra/write';
import { features, writeFeatures } from '../app';
import { rankings } from '../features/ranking/ranking.table';
import { textOf, type DerivationSource, type DerivedTable } from '../write/derived-table';

/** The rankings that were taken. Only their buckets are derived. The source key is the bucket. */
const rankingSource: DerivationSource = {
  table: rankings,
  keyOf: (primaryKey) => textOf(primaryKey, 'bucket'),
  async *writesOf(_context, sourceKeys) {
    yield await Promise.resolve(
      sourceKeys.map((bucket) =>
        writeOf(buckets, { owner: EVERYBODY, list: rankings.name, bucket: Number(bucket) }),
      ),
    );
  },
};

const ofFeatures: readonly DerivedTable[] = [
  ...features.flatMap(({ tables }) => tables.filter(isDerivable).map(derivationOf)),
  ...writeFeatures.flatMap(({ derived = [] }) => derived),
];
/** The tables whose rows are recorded in `buckets`: those with a column `bucket` in the partition key that are split by time. */
const lists = ofFeatures.filter(({ table }) => table.partition.includes('bucket') && !isListTable(table));
const listNames: ReadonlySet<string> = new Set(
  [rankings, ...lists.map(({ table }) => table)].map(({ name }) => name),
);

/** The buckets of all lists. A bucket that has become empty stays, because servers cache which buckets they have written. */
const bucketLists: DerivedTable = {
  table: buckets,
  sources: [
    ...new Set([
      ...lists.flatMap(({ sources, bucketSources = [] }) => [...sources, ...bucketSources]),
      rankingSource,
    ]),
  ],
  sourceKeyOf: (row) => textOf(row, 'owner'),
  areAllowed: (_context, rows) => Promise.resolve(rows.map((row) => listNames.has(textOf(row, 'list')))),
};

/** All tables whose rows are derived from rows of other tables. */
export const derivedTables: readonly DerivedTable[] = [bucketLists, ...ofFeatures];
