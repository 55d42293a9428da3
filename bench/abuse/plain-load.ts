import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../measure';
import { send, type Call } from './send';

/** Requests per second. */
const RATE = 20;

/** The result of an ordinary client's requests; times in milliseconds. */
export interface PlainResult {
  readonly sent: number;
  /** How many were not answered with data. */
  readonly lost: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Sends an ordinary request 20 times a second until `stop` is called. Requests are sent on time even if earlier ones are not
 * answered yet: a client that waits for answers would not notice how long a server stands still.
 */
export function startPlainLoad(next: () => Call): { stop(): Promise<PlainResult> } {
  const agent = new Agent({ keepAlive: true });
  const pending: Promise<void>[] = [];
  const times: number[] = [];
  let lost = 0;
  const stopping = new AbortController();
  const started = performance.now();
  const sending = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      pending.push(
        send({ ...next(), agent }).then(({ status, code, milliseconds }) => {
          if (status !== 200 || code !== null) lost++;
          times.push(milliseconds);
        }),
      );
      await sleep(Math.max(0, started + ((n + 1) * 1000) / RATE - performance.now()));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await sending;
      await Promise.all(pending);
      agent.destroy();
      return { sent: times.length, lost, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
    },
  };
}
