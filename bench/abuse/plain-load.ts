import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../measure';
import { send, type Call, type Outcome } from './send';

/** Requests per second by default. */
const RATE = 20;

/** A request of the load, and what is told its outcome. */
export interface PlainCall extends Call {
  readonly answered?: (this: void, outcome: Outcome) => void;
}

/** The result of an ordinary client's requests; times in milliseconds. */
export interface PlainResult {
  readonly sent: number;
  /** How many were not answered with data. */
  readonly lost: number;
  readonly times: readonly number[];
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

/**
 * Sends an ordinary request some times a second, 20 by default, until `stop` is called. Requests are sent on time even if earlier ones are not
 * answered yet: a client that waits for answers would not notice how long a server stands still.
 */
export function startPlainLoad(next: () => PlainCall, rate = RATE): { stop(): Promise<PlainResult> } {
  const agent = new Agent({ keepAlive: true });
  const pending = new Set<Promise<void>>();
  const times: number[] = [];
  let lost = 0;
  const stopping = new AbortController();
  const started = performance.now();
  const sending = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const call = next();
      const answered = send({ ...call, agent }).then((outcome) => {
        if (outcome.status !== 200 || outcome.code !== null) lost++;
        times.push(outcome.milliseconds);
        call.answered?.(outcome);
        pending.delete(answered);
      });
      pending.add(answered);
      await sleep(Math.max(0, started + ((n + 1) * 1000) / rate - performance.now()));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await sending;
      await Promise.all(pending);
      agent.destroy();
      const [p50, p99, worst] = [percentile(times, 0.5), percentile(times, 0.99), Math.max(0, ...times)];
      return { sent: times.length, lost, times, p50, p99, worst };
    },
  };
}
