import type { FastifyInstance } from 'fastify';
import { createGrowingCache } from './kit/base/growing-cache';
import type { Logger } from 'pino';
import type { Config } from './config';
import type { Caller } from './context';
import { createDemoHeaders } from './demo/headers';
import { emptyTab, tabs } from './demo/tabs';
import { createTrends, type TrendsContext } from './features/hashtag/trending';
import { attached } from './kit/base/attached';
import { createGate } from './kit/reads/gate';
import { createLoad, type Load } from './kit/reads/load';
import { createReadCache } from './kit/reads/read-cache';
import { createRecentWriters } from './kit/reads/recent-writers';
import { createHttpServer } from './kit/http/server';
import { createMetrics } from './metrics';
import { writeFeatures } from './app';
import { model } from './model';
import { EXPORT_PATH } from './features/account/account.type';
import { tweetIndexesIn, type SearchContext } from './features/search/tweet-index';
import { monthsAgo } from './features/timeline/retention';
import { createOwnWrites, type OwnWrites } from './features/viewer/own-writes';
import { createSight } from './features/hidden/sight/sight';
import { tokenSettings } from './features/viewer/sign';
import { createIdentify, findExpiry } from './features/viewer/token';
import { createRememberedUsers, createViewer } from './features/viewer/viewer';
import { openExportFile } from './write/account/download-export';
import { exportedParts } from './write/account/write-export';
import type { MutationContext } from './write/mutation-context';
import type { WriteServices } from './write/write-services';

/** How many merged timelines a server remembers. */
const MAX_MERGED_TIMELINES = 100_000;

/** Options of a server. */
interface ServerOptions {
  /** Whether the database is an embedded node. */
  readonly embedded: boolean;
  /** Counts the requests that wait to read; that of the gate when not given. */
  readonly waitingRequests?: () => number;
}

/** Creates the HTTP server: GraphQL, GraphiQL with the demo's tabs, health and metrics. */
export async function createServer(
  writeServices: WriteServices,
  config: Config,
  logger: Logger,
  { embedded, waitingRequests }: ServerOptions,
): Promise<FastifyInstance> {
  const { database } = writeServices;
  const gate = createGate(config.reads);
  const cache = config.cacheSeconds === 0 ? null : createReadCache(config.cacheSeconds);
  const recentWriters = createRecentWriters(database, writeServices.worker.instance);
  const indexes = tweetIndexesIn(database);
  const metrics = createMetrics(writeServices, gate, cache, Object.values(indexes));
  const tokens = await tokenSettings(config, embedded);
  const identify = createIdentify(tokens);
  const trends = createTrends(database, indexes, config.trendsEverySeconds * 1000);
  const mergedTimelines = createGrowingCache<true>(MAX_MERGED_TIMELINES);
  const rememberedUsers = cache && createRememberedUsers();
  const callers = attached<Caller>();
  const callerOf = (request: object): Caller => callers.get(request) ?? { kind: 'anonymous' };
  const viewerOf = (load: Load, request: object) =>
    createViewer(
      load,
      callerOf(request),
      tokens?.signsItself ?? false,
      rememberedUsers,
      writeServices.leaving.isLeaving,
    );
  const exported = exportedParts(writeFeatures);
  return createHttpServer({
    model,
    database,
    config,
    logger,
    gate,
    cache,
    page: { title: 'Murmuration', tabs, emptyTab },
    headersOf: createDemoHeaders(database, config.host, tokens),
    async admit(request) {
      callers.set(request, await identify(request.headers.authorization));
    },
    identityOf(request) {
      const caller = callerOf(request);
      return caller.kind === 'anonymous' ? null : JSON.stringify([caller.issuer, caller.subject]);
    },
    expiryOf: (request) => findExpiry(callerOf(request)),
    isTrusted: (request) => callerOf(request).kind === 'service',
    ...(waitingRequests && { waitingRequests }),
    contextOf(
      load,
      request,
      limits,
    ): Omit<MutationContext & TrendsContext & SearchContext, 'load' | 'pass' | 'reserve'> & OwnWrites {
      const viewer = viewerOf(load, request);
      return {
        ...createOwnWrites(load, viewer, recentWriters),
        writeServices,
        trends,
        indexes,
        limits,
        viewer,
        sight: createSight(load, viewer),
        timelineSince: monthsAgo(config.timelineRetentionMonths),
        mergedTimelines,
      };
    },
    downloads: {
      [EXPORT_PATH]: (request, limits) =>
        openExportFile(database, exported, viewerOf(createLoad(database), request), limits),
    },
    answered: metrics.answered,
    refused: metrics.refused,
    canWrite: writeServices.worker.hasLease,
    signals: writeServices.signals,
    waits: metrics.waits,
    keeps: metrics.keeps,
    live: metrics.live,
    metrics,
  });
}
