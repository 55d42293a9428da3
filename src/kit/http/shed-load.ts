import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { overloaded } from '../errors';

/** From where on a server refuses requests; a limit of 0 is off. */
export interface Shedding {
  /** Milliseconds by which timers are late, on average over a second. */
  readonly eventLoopMs: number;
  readonly heapBytes: number;
  /** Reads that wait for their turn at the database. */
  readonly waitingReads: number;
}

/** Why requests were refused. */
export type Pressure = 'event_loop_delay' | 'heap' | 'waiting_reads';

/** Seconds after which a client that was refused should try again: two samples of the pressure later. */
const RETRY_AFTER_SECONDS = 2;
/** Milliseconds between two samples of the pressure. */
const SAMPLE_MS = 1000;

/**
 * Has the routes of a scope answer 503 with `Retry-After` and the code `UNAVAILABLE` while the server has more to do than it
 * can. The refusal is cheap: nothing of the request is read. `refused` hears of each.
 */
export async function shedLoad(
  scope: FastifyInstance,
  { eventLoopMs, heapBytes, waitingReads }: Shedding,
  waiting: () => number,
  refused: (reason: Pressure) => void,
): Promise<void> {
  const refuse = (reason: Pressure) => {
    refused(reason);
    return overloaded(RETRY_AFTER_SECONDS);
  };
  if (waitingReads > 0) {
    scope.addHook('onRequest', (_request, _reply, next) => {
      if (waiting() > waitingReads) next(refuse('waiting_reads'));
      else next();
    });
  }
  if (eventLoopMs === 0 && heapBytes === 0) return;
  await scope.register(underPressure, {
    maxEventLoopDelay: eventLoopMs,
    maxHeapUsedBytes: heapBytes,
    sampleInterval: SAMPLE_MS,
    pressureHandler: async (_request, _reply, type) =>
      Promise.reject(refuse(type === underPressure.TYPE_HEAP_USED_BYTES ? 'heap' : 'event_loop_delay')),
  });
}
