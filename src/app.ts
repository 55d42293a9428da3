import 'reflect-metadata';
import { accountFeature } from './features/account/feature';
import { bookmarkFeature } from './features/bookmark/feature';
import { followFeature } from './features/follow/feature';
import { frequencyFeature } from './features/frequency/feature';
import { hashtagFeature } from './features/hashtag/feature';
import { hiddenFeature } from './features/hidden/sight/feature';
import { likeFeature } from './features/like/feature';
import { liveFeature } from './features/live/feature';
import { mapFeature } from './features/map/feature';
import { moderationFeature } from './features/moderation/feature';
import { newsFeature } from './features/news/feature';
import { notificationFeature } from './features/notification/feature';
import { rankingFeature } from './features/ranking/feature';
import { searchFeature } from './features/search/feature';
import { shareFeature } from './features/share/feature';
import { threadFeature } from './features/thread/feature';
import { timelineFeature } from './features/timeline/feature';
import { tweetFeature } from './features/tweet/feature';
import { userFeature } from './features/user/feature';
import { userSearchFeature } from './features/user-search/feature';
import { viewerFeature } from './features/viewer/feature';
import type { Feature } from './features/feature';
import { accountWrites } from './write/account/write-feature';
import { bookmarkWrites } from './write/bookmark/write-feature';
import { followWrites } from './write/follow/write-feature';
import { hiddenWrites } from './write/hidden/write-feature';
import { likeWrites } from './write/like/write-feature';
import { moderationWrites } from './write/moderation/write-feature';
import { newsWrites } from './write/news/write-feature';
import { notificationWrites } from './write/notification/write-feature';
import { shareWrites } from './write/share/write-feature';
import { timelineWrites } from './write/timeline/write-feature';
import { tweetWrites } from './write/tweet/write-feature';
import { userWrites } from './write/user/write-feature';
import { userSearchWrites } from './write/user-search/write-feature';
import type { WriteFeature } from './write/write-feature';
import { unsettledImports } from './import/store/import.table';
import { idempotencyKeys } from './kit/writes/idempotency';
import { quotaUses } from './kit/rate-limits/quotas';
import { recentWriters } from './kit/reads/recent-writers';
import { lateArrivals } from './kit/subscriptions/late-arrivals';
import { leases } from './kit/writes/lease';
import type { DeclaredTable } from './tools/model/model';
import { outbox, outboxWindows, taskClaims } from './kit/work/outbox.table';
import { buckets } from './kit/lists/buckets';
import { listBuckets } from './kit/lists/list-buckets';
import { tallies } from './kit/work/tally';
import { serverNumbers, servers } from './kit/work/worker';
import type { DeclaredHandler } from './kit/work/handler';
import type { WriteServices } from './write/write-services';
import type { GraphQLSchema } from 'graphql';
import { buildApi } from './kit/graphql/schema';
import type { NodeTypes } from './kit/graphql/node-resolver';

/** Every feature, in the order of the data model. */
export const features: readonly Feature[] = [
  userFeature,
  viewerFeature,
  followFeature,
  timelineFeature,
  tweetFeature,
  threadFeature,
  likeFeature,
  shareFeature,
  bookmarkFeature,
  searchFeature,
  userSearchFeature,
  hashtagFeature,
  rankingFeature,
  frequencyFeature,
  mapFeature,
  newsFeature,
  notificationFeature,
  hiddenFeature,
  moderationFeature,
  accountFeature,
  liveFeature,
];

/** The write half of every feature. */
export const writeFeatures: readonly WriteFeature[] = [
  userWrites,
  followWrites,
  tweetWrites,
  timelineWrites,
  likeWrites,
  shareWrites,
  bookmarkWrites,
  newsWrites,
  notificationWrites,
  hiddenWrites,
  userSearchWrites,
  moderationWrites,
  accountWrites,
];

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
    quotaUses,
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

/** Creates the handler of each kind of task that mutations enqueue, by kind. Throws if two features have tasks of one kind. */
export function taskHandlers(
  writeServices: WriteServices,
  features = writeFeatures,
): Readonly<Record<string, DeclaredHandler>> {
  const handlers: Record<string, DeclaredHandler> = {};
  for (const [kind, handlerOf] of features.flatMap(({ tasks }) => Object.entries(tasks))) {
    if (kind in handlers) throw new Error(`Two features have tasks of the kind ${kind}: rename one of them.`);
    handlers[kind] = handlerOf(writeServices, features);
  }
  return handlers;
}

/** The kinds of all tasks. */
export const taskKinds: readonly string[] = writeFeatures.flatMap(({ tasks }) => Object.keys(tasks));

const nodeTypes: NodeTypes = Object.fromEntries(
  features.flatMap((feature) => Object.entries(feature.nodeTypes ?? {})),
);

/** Builds the executable schema of all features, with their queries and mutations. */
export function createSchema(): GraphQLSchema {
  const resolvers = features.flatMap(({ resolvers = [], connections = [] }) => [
    ...connections.flatMap((connection) => connection.resolvers),
    ...resolvers,
  ]);
  const mutations = writeFeatures.flatMap((feature) => feature.mutations);
  return buildApi([...resolvers, ...mutations], nodeTypes);
}
