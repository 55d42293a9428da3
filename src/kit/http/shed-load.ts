import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { asError, overloaded } from '../base/errors';

/** The limits above which a server refuses requests; 0 turns a limit off. */
interface Shedding {
  /** The delay of the event loop in milliseconds: the average over a second, for three seconds in a row. */
  readonly eventLoopMs: number;
  readonly heapBytes: number;
  /** Bytes outside the heap: bodies that are being received, and answers that clients have not read yet. */
  readonly bufferBytes: number;
  /** Requests that wait for their turn to read. */
  readonly waitingRequests: number;
}

/** Why requests were refused. */
export type Pressure = 'event_loop_delay' | 'heap' | 'buffers' | 'waiting_requests';

/** Seconds after which a client that was refused should try again. */
const RETRY_AFTER_SECONDS = 2;
/** Milliseconds between two samples of the pressure. */
const SAMPLE_MS = 1000;
/**
 * How many samples in a row must be late. A single long task, or a pause of the machine, makes only one late sample, after
 * which the waiting requests are answered.
 */
const LATE_SAMPLES = 3;
/** Milliseconds between two measurements of the event loop's delay. */
const RESOLUTION_MS = 10;

/**
 * Makes the routes of a scope answer 503 with `Retry-After` and the code `UNAVAILABLE` while the server is overloaded. A refusal is cheap,
 * because nothing of the request is read. `refused` is called for each. Returns the check, which throws, for work that does not come as a
 * request.
 */
export function shedLoad(
  scope: FastifyInstance,
  limits: Shedding,
  waitingRequests: () => number,
  refused: (reason: Pressure) => void,
): () => void {
  const sampled = samplePressure(scope, limits);
  const check = () => {
    const tooMany = limits.waitingRequests > 0 && waitingRequests() > limits.waitingRequests;
    const pressure = tooMany ? 'waiting_requests' : sampled();
    if (pressure === null) return;
    refused(pressure);
    throw overloaded(RETRY_AFTER_SECONDS);
  };
  scope.addHook('onRequest', (_request, _reply, done) => {
    let refusal: Error | undefined;
    try {
      check();
    } catch (error) {
      refusal = asError(error);
    }
    done(refusal);
  });
  return check;
}

/** Samples the pressure of the process until the scope is closed. Returns a function that returns the current pressure. */
function samplePressure(
  scope: FastifyInstance,
  { eventLoopMs, heapBytes, bufferBytes }: Omit<Shedding, 'waitingRequests'>,
): () => Pressure | null {
  if (eventLoopMs === 0 && heapBytes === 0 && bufferBytes === 0) return () => null;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let lateSamples = 0;
  let full: 'heap' | 'buffers' | null = null;
  const timer = setInterval(() => {
    const isLate = delay.mean / 1e6 - RESOLUTION_MS > eventLoopMs;
    lateSamples = isLate ? lateSamples + 1 : 0;
    delay.reset();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    // Of text that a client has not read, Node has a copy that only the second of the two has.
    const buffered = Math.max(external, arrayBuffers);
    full = isAbove(heapUsed, heapBytes) ? 'heap' : isAbove(buffered, bufferBytes) ? 'buffers' : null;
  }, SAMPLE_MS).unref();
  scope.addHook('onClose', (_scope, done) => {
    clearInterval(timer);
    delay.disable();
    done();
  });
  return () => {
    if (eventLoopMs > 0 && lateSamples >= LATE_SAMPLES) return 'event_loop_delay';
    return full;
  };
}

function isAbove(used: number, limit: number): boolean {
  return limit > 0 && used > limit;
}
