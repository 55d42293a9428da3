import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config';
import type { Context } from './context';
import { createDemoHeaders } from './demo/headers';
import { emptyTab, tabs } from './demo/tabs';
import { createTrends } from './hashtag/trending';
import { createHttpServer } from './kit/http/server';
import { createMetrics } from './metrics';
import { model } from './model';
import { monthsAgo } from './timeline/retention';
import { tokenSettings } from './viewer/secret';
import { createIdentify, type Caller } from './viewer/token';
import { createViewer } from './viewer/viewer';
import type { Writing } from './writing';

/** Composes the HTTP server: GraphQL for viewers, GraphiQL with the demo's tabs, health and metrics. */
export async function createServer(
  writing: Writing,
  config: Config,
  logger: Logger,
  { embedded }: { readonly embedded: boolean },
): Promise<FastifyInstance> {
  const { database } = writing;
  const metrics = createMetrics(writing.outbox);
  const tokens = await tokenSettings(config, embedded);
  const identify = createIdentify(tokens);
  const trends = createTrends(database, config.trendsEverySeconds * 1000);
  const callers = new WeakMap<object, Caller>();
  const app = await createHttpServer({
    model,
    database,
    config,
    logger,
    page: { title: 'Murmuration', tabs, emptyTab },
    headersOf: createDemoHeaders(database, config.host, tokens),
    async admit(request) {
      callers.set(request, await identify(request.headers.authorization));
    },
    contextOf(load, request): Omit<Context, 'load'> {
      const caller = callers.get(request) ?? { kind: 'anonymous' };
      return {
        writing,
        trends,
        viewer: createViewer(load, caller, tokens?.signsItself ?? false),
        timelineSince: monthsAgo(config.timelineRetentionMonths),
      };
    },
    answered: metrics.answered,
  });
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  return app;
}
