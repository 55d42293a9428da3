import type { Server, ServerResponse } from 'node:http';
import { attached } from '../base/attached';

/**
 * Closes the answers that wait for their turn when their connection closes. A client may send requests before the first is answered
 * (HTTP/1.1 pipelining), and Node then closes only the answer whose turn it is: what the other requests hold would be held for good.
 */
export function closeWaitingAnswers(server: Server): void {
  const unanswered = attached<Set<ServerResponse>>();
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
  server.on('request', ({ socket }, answer) => {
    const answers = unanswered.get(socket);
    answers?.add(answer);
    answer.once('close', () => answers?.delete(answer));
  });
}
