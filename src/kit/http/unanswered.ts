import type { Server, ServerResponse } from 'node:http';
import { attached } from '../base/attached';

/**
 * How many requests a connection may send before the first of them is answered (HTTP/1.1 pipelining). Browsers, proxies and most clients
 * send one. A chunk of 64 kB has two thousand small ones, and Node hands over all of them in one turn of the event loop.
 */
const MAX_UNANSWERED = 50;

/**
 * Bounds the requests of each connection that wait for their answers: a connection that sends more is closed, and its further requests are
 * not looked at. Call it before anything else listens to the requests of a server, except the handlers that answer them.
 *
 * The answers that wait for their turn are closed with their connection. Before 24.16, Node closes only the answer whose turn it is: what
 * the other requests hold would be held for good.
 */
export function limitUnanswered(server: Server): void {
  const unanswered = attached<Set<ServerResponse>>();
  const handlers = server.listeners('request');
  server.removeAllListeners('request');
  server.on('connection', (socket) => {
    const answers = new Set<ServerResponse>();
    unanswered.set(socket, answers);
    socket.once('close', () => {
      for (const answer of answers) {
        if (answer.closed || answer.socket !== null) continue;
        answer.destroy();
        answer.emit('close');
      }
    });
  });
  server.on('request', (request, answer) => {
    const { socket } = request;
    // The rest of a chunk is still read when its connection has been closed.
    if (socket.destroyed) return;
    const answers = unanswered.get(socket);
    if (answers && answers.size >= MAX_UNANSWERED) {
      socket.destroy();
      return;
    }
    answers?.add(answer);
    answer.once('close', () => answers?.delete(answer));
    for (const handler of handlers) Reflect.apply(handler, server, [request, answer]);
  });
}
