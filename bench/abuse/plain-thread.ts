import { once } from 'node:events';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { startPlainLoad, type PlainResult } from './plain-load';
import type { Call } from './send';

/**
 * Sends the ordinary client's requests by turns, in a thread of its own: else they would wait while this process makes the requests of an
 * attack, which is not the server's fault.
 */
export function startPlainThread(calls: readonly Call[]): { stop(): Promise<PlainResult> } {
  const worker = new Worker(join(__dirname, 'plain-thread.js'), { workerData: calls });
  return {
    async stop() {
      worker.postMessage('stop');
      const [result] = (await once(worker, 'message')) as [PlainResult];
      return result;
    },
  };
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const calls = workerData as readonly Call[];
  let sent = 0;
  const load = startPlainLoad(() => calls[sent++ % calls.length] ?? { port: 0 });
  port.once('message', () => {
    void load.stop().then((result) => {
      port.postMessage(result);
    });
  });
}
