import { buckets, EVERYBODY } from '../kit/lists/buckets';
import type { TableRole } from '../kit/cassandra/table';
import { derivationOf, isDerivable } from '../kit/lists/source';
import { writeOf } from '../kit/cassandra/write';
import { features, tables, writeFeatures } from '../app';
import { rankings } from '../features/ranking/ranking.table';
import { joinProperties, type DerivationSource, type DerivedTable } from '../write/derived-table';
import { countJobs } from './counts';
import { frequencyJob } from './frequency';
import { indexesJob } from './indexes';
import type { Job } from './job';
import { linksJob } from './links';
import { notificationGroupsJob } from './notification-groups';
import { rebuildRows } from './rebuild';
import { verifyRows } from './verify';

/** The stored rankings. Only their buckets are derived. The source key is the bucket. */
const rankingSource: DerivationSource = {
  table: rankings,
  keyOf: (primaryKey) => joinProperties(primaryKey, 'bucket'),
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
/** The tables whose days or months are recorded in `buckets`. */
const lists = ofFeatures.filter(({ hasBuckets }) => hasBuckets);
const listNames: ReadonlySet<string> = new Set(
  [rankings, ...lists.map(({ table }) => table)].map(({ name }) => name),
);

/** The buckets of all lists. A bucket that has become empty stays, because servers cache which buckets they have written. */
const bucketLists: DerivedTable = {
  table: buckets,
  sources: [...new Set(lists.flatMap(({ sources }) => sources)), rankingSource],
  sourceKeyOf: (row) => joinProperties(row, 'owner'),
  areAllowed: (_context, rows) =>
    Promise.resolve(rows.map((row) => listNames.has(joinProperties(row, 'list')))),
};

/** All tables whose rows are derived from rows of other tables. */
export const derivedTables: readonly DerivedTable[] = [bucketLists, ...ofFeatures];

function rowJob(derived: DerivedTable): Job {
  return {
    name: derived.table.name,
    rebuild: (context, onProgress) => rebuildRows(context, derived, onProgress),
    verify: (context, size) => verifyRows(context, derived, size),
  };
}

/** The jobs of all derived tables, in the order in which to rebuild them: a table comes after those it is derived from. */
export const jobs: readonly Job[] = [
  linksJob,
  notificationGroupsJob,
  ...derivedTables.filter(({ isFromCounts = false }) => !isFromCounts).map(rowJob),
  ...countJobs,
  ...derivedTables.filter(({ isFromCounts = false }) => isFromCounts).map(rowJob),
  frequencyJob,
  indexesJob,
];

const roles = tables.flatMap(({ name, role }) => (role ? [{ name, role }] : []));

/** The tables that no job makes again by themselves, and what each of them is for. */
export const derivationSources: Readonly<Record<string, string>> = Object.fromEntries(
  roles.filter(({ role }) => role.kind !== 'partly derived').map(({ name, role }) => [name, role.why]),
);

/** Whether each table is truth, derived from others, or transient: its declaration says so, or else a job makes it again. */
export const tableRoles: Readonly<Record<string, TableRole>> = {
  ...Object.fromEntries(
    jobs.map(({ name }) => [name, { kind: 'derived', why: `\`npm run rebuild -- ${name}\` makes it again` }]),
  ),
  ...Object.fromEntries(roles.map(({ name, role }) => [name, role])),
};
