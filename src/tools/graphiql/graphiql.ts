import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tab } from './tab';

/** The content of the page. */
export interface GraphiqlPage {
  /** The name of the API. */
  readonly title: string;
  /** The first tabs, in order; GraphiQL names each after its operation. */
  readonly tabs: readonly Tab[];
  /** The content of a new tab. */
  readonly emptyTab: string;
}

/** The known facts about the client that opens the page. */
export type Visitor = Pick<FastifyRequest, 'hostname' | 'headers'> & {
  readonly raw: Pick<FastifyRequest['raw'], 'httpVersion'>;
  /** The two ends of the connection; undefined if it is closed. */
  readonly socket: {
    readonly remoteAddress?: string | undefined;
    readonly localAddress?: string | undefined;
  };
};

/** Returns the headers that the page starts with. Everybody who can read them can use them. */
export type HeadersOfVisitor = (request: Visitor) => Promise<Readonly<Record<string, string>>>;

const index = 'index.html';

/** The page runs what this server sends and connects to no other. Monaco needs inline styles. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * Serves GraphiQL under `/graphiql`, as `build.mjs` has bundled it, and the headers that it starts with. If it has not been
 * built, `/graphiql` answers 503 and says how to build it; everything else works.
 */
export async function registerGraphiql(
  app: FastifyInstance,
  page: GraphiqlPage,
  headersOf: HeadersOfVisitor = () => Promise.resolve({}),
): Promise<void> {
  app.get('/graphiql/page.json', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(page),
  );
  app.get('/graphiql/headers.json', async (request, reply) =>
    reply.header('cache-control', 'no-store').send(await headersOf(request)),
  );
  const root = builtPage();
  // A scope of its own keeps `sendFile` for this folder away from other routes.
  await app.register(async (scope) => {
    if (root === undefined) {
      scope.get('/graphiql', answerNotBuilt);
      scope.get('/graphiql/*', answerNotBuilt);
      return;
    }
    await scope.register(fastifyStatic, {
      root,
      prefix: '/graphiql/',
      preCompressed: true,
      cacheControl: false,
      setHeaders: setCaching,
    });
    scope.get('/graphiql', (_request, reply) => reply.sendFile(index));
  });
}

/** The folder of the built page. Compiled, this file is three folders below `dist`; run from source, three below the project. */
function builtPage(): string | undefined {
  const base = join(__dirname, '../../..');
  return [join(base, 'graphiql'), join(base, 'dist/graphiql')].find((folder) =>
    existsSync(join(folder, index)),
  );
}

/** File names change with the content, so files can be cached for good; only the page, which refers to them, cannot. */
function setCaching(reply: FastifyReply, path: string): void {
  if (basename(path) === index) {
    reply.header('cache-control', 'no-cache').header('content-security-policy', contentSecurityPolicy);
  } else {
    reply.header('cache-control', 'public, max-age=31536000, immutable');
  }
}

function answerNotBuilt(_request: unknown, reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .type('text/plain; charset=utf-8')
    .send(
      'GraphiQL has not been built. Run `node src/tools/graphiql/build.mjs` and start the server again.\n',
    );
}
