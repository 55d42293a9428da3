import { features } from './features';
import { unsettledImports } from './import/store/import.table';
import { idempotencyKeys } from './kit/writes/idempotency';
import { recentWriters } from './kit/reads/recent-writers';
import { lateArrivals } from './kit/subscriptions/late-arrivals';
import { leases } from './kit/writes/lease';
import type { DeclaredTable } from './tools/model/model';
import { outbox, outboxWindows, taskClaims } from './kit/work/outbox.table';
import { buckets } from './kit/lists/buckets';
import { listBuckets } from './kit/lists/list-buckets';
import { tallies } from './kit/work/tally';
import { serverNumbers, servers } from './kit/work/worker';

/** The tables that belong to no feature, by heading in the data model. */
const ownTables: Readonly<Record<string, readonly DeclaredTable[]>> = {
  'Lists and counts': [listBuckets, buckets, tallies],
  'Work under way': [
    outbox,
    outboxWindows,
    taskClaims,
    servers,
    serverNumbers,
    leases,
    idempotencyKeys,
    recentWriters,
    lateArrivals,
    unsettledImports,
  ],
};

/** Every declared table, by heading in the data model. */
export const tablesByTitle: Readonly<Record<string, readonly DeclaredTable[]>> = {
  ...Object.fromEntries(
    features.filter(({ tables }) => tables.length > 0).map(({ title, tables }) => [title, tables]),
  ),
  ...ownTables,
};

/** Every declared table. A test compares them with the tables that `cql/` creates. */
export const tables = Object.values(tablesByTitle).flat();
