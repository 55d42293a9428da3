import { buckets, EVERYBODY } from '../kit/lists/buckets';
import { isListTable } from '../kit/cassandra/table';
import { derivationOf, isDerivable } from '../kit/lists/source';
import { writeOf } from '../kit/cassandra/write';
import { features, writeFeatures } from '../app';
import { rankings } from '../features/ranking/ranking.table';
import { joinProperties, type DerivationSource, type DerivedTable } from '../write/derived-table';
import { countJobs } from './counts';
import { frequencyJob } from './frequency';
import { indexesJob } from './indexes';
import type { TableRole } from '../tools/model/model';
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
/** The tables whose rows are recorded in `buckets`: those with a column `bucket` in the partition key that are split by time, and some lists of days. */
const lists = ofFeatures.filter(
  ({ table, hasBuckets }) => hasBuckets ?? (table.partition.includes('bucket') && !isListTable(table)),
);
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

/** Tables of truth: no other table can restore their rows. */
const truths: Readonly<Record<string, string>> = {
  users: 'it says who a user is',
  users_by_identity: 'it decides which user an identity made',
  relations: 'it decides who follows and blocks whom',
  bookmarks: 'it decides who has bookmarked what, and in which folder',
  raw_tweets: 'it holds the imported records and their counts',
  deleted_tweets: 'it says which tweets were deleted',
  articles: 'it says what was published',
  comments: 'it says what was written about articles',
  list_buckets: 'it says where the partitions of split lists begin',
  tallies: 'it decides who likes or shares what, and holds the counts of mutations',
  notification_members: 'it says in which of several groups an act is',
  fanout_modes: 'it decides whose tweets are pushed',
  idempotency_keys: 'it decides which tweet a key created',
  suspensions: 'it says who is suspended',
  moderation_acts: 'it says what moderators did',
  account_deletions: 'it decides which accounts are deleted',
  leaving_users: 'it says whose accounts are being deleted',
  deletion_receipts: 'it says what deletions removed',
  account_exports: 'it says how far exports are',
  export_chunks: 'it holds what was exported at a moment',
  outbox: 'it holds the tasks that are not completed',
  outbox_windows: 'it says where those tasks are',
  rankings: 'it holds the rankings of past times, which cannot be computed again',
  unsettled_imports: 'it says which imports are running',
};

/** The tables of which `rebuild` makes only a part again, namely the rows that follow from others. The rest is truth. */
const partlyTruths: Readonly<Record<string, string>> = {
  tweets:
    'where a conversation begins and whose tweet is shared follow from other tweets, and deleted_tweets says which must not be here; the rest is truth',
  hidden_by_user: 'only blocks follow from relations; mutes and what was seen stand here alone',
  notification_groups: 'the acts follow from others; how they were grouped stands here alone',
  notified_by_tweet: 'its rows follow from tweets; whom a tweet notified was decided when it was posted',
  users_by_username: 'names follow from users; the names of deleted accounts stand here alone',
};

/** Tables that are rebuilt with another one. */
const rebuiltTogether: Readonly<Record<string, string>> = {
  segments: 'it is rebuilt with postings',
  segment_entries: 'it is rebuilt with postings',
  segment_terms: 'it is rebuilt with postings',
  unsealed_entries:
    'it holds what was added to indexes since segments were built, and is rebuilt with postings',
};

/** Tables of short-lived state: their rows expire, or concern servers that run now. Losing them loses nothing. */
const transient: Readonly<Record<string, string>> = {
  tweet_invalidations: 'its rows expire after some minutes',
  quota_uses: 'it says how much users have done in an hour or day',
  task_claims: 'it says which server runs which of the tasks in outbox',
  recent_writers: 'it says who has just written',
  late_arrivals: 'it says what reached a list late, for subscriptions',
  servers: 'it says which servers are alive',
  server_numbers: 'it says which server has which number',
  leases: 'it says who does which work',
  ranking_pairs: 'it is scratch space for rankings that are being taken',
};

/** The tables that are not derived from others, and what each of them is for. */
export const derivationSources: Readonly<Record<string, string>> = {
  ...truths,
  ...rebuiltTogether,
  ...transient,
};

/** Whether each table is truth, derived from others, or transient. */
export const tableRoles: Readonly<Record<string, TableRole>> = {
  ...rolesOf('truth', truths),
  ...Object.fromEntries(
    jobs.map(({ name }) => [name, { role: 'derived', why: `\`npm run rebuild -- ${name}\` makes it again` }]),
  ),
  ...rolesOf('derived', rebuiltTogether),
  ...rolesOf('partly derived', partlyTruths),
  ...rolesOf('transient', transient),
};

function rolesOf(role: TableRole['role'], reasons: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(reasons).map(([name, why]) => [name, { role, why }]));
}
