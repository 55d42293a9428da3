import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { attached } from '../base/attached';

/**
 * Returns the function that ends a request which has become a WebSocket, so that what belongs to the request is given back now. Else
 * the connection would keep the request, its headers and its response, which take more memory than the connection itself.
 */
export function upgradesOf(scope: FastifyInstance): (socket: WebSocket, request: FastifyRequest) => void {
  const responses = attached<ServerResponse>();
  scope.addHook('onRequest', (request, { raw }, done) => {
    if (request.ws) responses.set(request, raw);
    done();
  });
  return (socket, request) => {
    // The listener of @fastify/websocket keeps the request.
    socket.removeAllListeners('error').on('error', () => {
      socket.terminate();
    });
    const response = responses.get(request);
    response?.detachSocket(request.raw.socket);
    response?.emit('close');
  };
}
