import type { FastifyInstance } from 'fastify';

/**
 * Refuses requests before their bodies are read: with 405 those whose path exists, but not with their method, and the methods that it has in
 * `Allow`; with 404 those whose path does not exist. Called before the routes are registered, and after what answers the preflight requests of
 * CORS.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  const routes: { readonly url: string; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ url, methods: [method].flat() });
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { is404, method, url } = request;
    // The plugin for CORS has a route for OPTIONS of every path.
    const found = is404 || method === 'OPTIONS' ? routes.filter((route) => leadsTo(route.url, url)) : [];
    const methods = [...new Set(found.flatMap((route) => route.methods))].sort();
    const isServed = methods.length === 0 ? !is404 && method !== 'OPTIONS' : methods.includes(method);
    if (isServed) {
      done();
      return;
    }
    // Only under the paths of GraphQL is it limited how many bodies are read and parsed.
    if (methods.length === 0) {
      const [path = ''] = url.split('?', 1);
      const message = `Route ${method}:${path} not found`;
      void reply.code(404).send({ message, error: 'Not Found', statusCode: 404 });
      return;
    }
    reply.header('allow', methods.join(', '));
    const message = `The method must be one of ${methods.join(', ')}, but got: ${method}`;
    done(Object.assign(new Error(message), { statusCode: 405 }));
  });
}

/** Whether the path of a route, which may end with `*`, leads to an address. */
function leadsTo(path: string, url: string): boolean {
  const [asked = ''] = url.split('?', 1);
  return path.endsWith('*') ? asked.startsWith(path.slice(0, -1)) : asked === path;
}
