import type { FastifyInstance } from 'fastify';

/**
 * Refuses requests whose path exists, but not with their method: status 405, and the methods that it has in `Allow`. What has no path at all
 * gets 404. Called before
 * the routes are registered, and after what answers the preflight requests of CORS.
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
    const isUnknown = methods.length === 0 && (is404 || method === 'OPTIONS');
    if (methods.includes(method) || (methods.length === 0 && !isUnknown)) {
      done();
      return;
    }
    // Before its body is read: only under the paths of GraphQL is it limited how many bodies are read and parsed.
    if (isUnknown) {
      reply.callNotFound();
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
