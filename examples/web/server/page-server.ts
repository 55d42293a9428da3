import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance } from 'fastify';
import { isLoopbackHost } from '../../../src/kit/config/address';

/** What the page knows of its API, and who may sign in. */
interface PageOptions {
  /** The folder of the built page. */
  readonly folder: string;
  /** The address of the API: `http://127.0.0.1:4000/graphql`. */
  readonly api: string;
  /** The token of somebody, with the username as it is written; null if nobody has the username. Rejects if the API does not answer. */
  signIn(this: void, username: string): Promise<SignedIn | null>;
  /** Usernames of a few people to begin as; none if the API does not answer. */
  people(this: void): Promise<readonly string[]>;
}

interface SignedIn {
  readonly username: string;
  readonly token: string;
}

/** The page runs its own scripts only, and asks its own server and the API only. Avatars have their colours in `style`. */
function contentSecurityPolicy(api: string): string {
  const { origin } = new URL(api);
  return [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self' ${origin} ${origin.replace(/^http/, 'ws')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Creates the server of the page: its files, the address of the API, and tokens for whoever asks. It stands for an identity provider
 * and asks for no password, so it must listen to this machine only, and answers no page but its own.
 */
export async function createPageServer({
  folder,
  api,
  signIn,
  people,
}: PageOptions): Promise<FastifyInstance> {
  const app = fastify();
  app.addHook('onRequest', async (request, reply) => {
    const site = request.headers['sec-fetch-site'] ?? 'same-origin';
    // The name of another site may resolve to this machine (DNS rebinding).
    if (!isLoopbackHost(request.hostname) || !['same-origin', 'none'].includes(site))
      return reply.code(403).send({ message: 'This page answers to its own address on this machine only.' });
    return undefined;
  });
  await app.register(fastifyStatic, {
    root: folder,
    setHeaders: (reply) => void reply.header('content-security-policy', contentSecurityPolicy(api)),
  });
  app.get('/settings.json', () => ({ api }));
  app.get('/people.json', async () => ({ people: await people() }));
  app.post(
    '/sign-in',
    {
      schema: {
        body: {
          type: 'object',
          required: ['username'],
          properties: { username: { type: 'string', maxLength: 100 } },
        },
      },
    },
    async (request, reply) => {
      const { username } = request.body as { username: string };
      const signedIn = await signIn(username).catch((error: unknown) => new Error(String(error)));
      if (signedIn instanceof Error)
        return reply.code(503).send({ message: `The API must answer, but: ${signedIn.message}` });
      return (
        signedIn ?? reply.code(404).send({ message: `Nobody has the username ${JSON.stringify(username)}.` })
      );
    },
  );
  return app;
}
