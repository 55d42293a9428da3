import { asError, clientDisconnected, deadlineExceeded, type ClientError } from '../base/errors';

/** How many partitions may be read at the same time. */
interface GateLimits {
  /** By all requests of a server together. */
  readonly maxInFlight: number;
  /** By a single request. */
  readonly maxPerRequest: number;
}

/** Divides what Cassandra can do fairly among the requests of a server. */
export interface Gate {
  /** Creates the pass of a request, whose deadline is `milliseconds` from now. The caller must close it. */
  enter(milliseconds: number): Pass;
  /** How many requests have a read that waits for reads of other requests to end: 0 unless the server is at its limit. */
  waiting(): number;
  /** How many partitions are being read now. */
  inFlight(): number;
}

/** The permission of one request to read. Mutations read without it for what they write, so that their work goes on after the pass is closed. */
export interface Pass {
  /** The deadline, on the clock of `performance.now()`; in the past once the pass is closed. */
  readonly until: number;
  /** How many partitions the request has read or begun to read. */
  readonly reads: number;
  /** Why the pass was closed: the request is past its deadline, or its client has disconnected. Null while it is open. */
  readonly closed: ClientError | null;
  /**
   * Runs `read`, which reads this many partitions, as soon as the limits allow. Rejects when the pass is closed, also during
   * the read; a read that has begun counts towards the limits until it ends.
   */
  run<T>(partitions: number, read: () => Promise<T>): Promise<T>;
  /** Waits for any work; rejects when the pass is closed. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Closes the pass: it begins no further read, and rejects everything that still waits. Later calls have no effect. */
  close(reason?: ClientError): void;
}

interface QueuedRead {
  readonly partitions: number;
  begin(this: void): void;
}

interface GateRequest {
  inFlight: number;
  readonly queue: QueuedRead[];
}

/**
 * Creates a server's gate. While the server is at its limit, requests take turns, one read each. So a request with few reads
 * waits for one read of each other request, and not for all reads that a heavy request has queued before.
 */
export function createGate({ maxInFlight, maxPerRequest }: GateLimits): Gate {
  let inFlight = 0;
  // The requests that only wait for the limit of the server. A set keeps insertion order: the first request is next.
  const ready = new Set<GateRequest>();
  const begin = (request: GateRequest, { partitions, begin: start }: QueuedRead) => {
    inFlight += partitions;
    request.inFlight += partitions;
    start();
  };
  const beginReady = () => {
    for (const request of ready) {
      const read = request.queue[0];
      if (read && !fits(inFlight, read.partitions, maxInFlight)) return;
      ready.delete(request);
      request.queue.shift();
      if (read) begin(request, read);
      // This puts the request at the end of the line: the loop also visits what is added to the set meanwhile.
      if (isReady(request, maxPerRequest)) ready.add(request);
    }
  };
  const enter = (milliseconds: number) => {
    const request: GateRequest = { inFlight: 0, queue: [] };
    const add = (read: QueuedRead) => {
      const isNext = request.queue.length === 0 && fits(request.inFlight, read.partitions, maxPerRequest);
      if (isNext && ready.size === 0 && fits(inFlight, read.partitions, maxInFlight)) {
        begin(request, read);
        return;
      }
      request.queue.push(read);
      if (isNext) ready.add(request);
    };
    const end = (partitions: number) => {
      inFlight -= partitions;
      request.inFlight -= partitions;
      if (isReady(request, maxPerRequest)) ready.add(request);
      beginReady();
    };
    const leave = () => {
      request.queue.length = 0;
      if (ready.delete(request)) beginReady();
    };
    return createPass(milliseconds, { add, end, leave });
  };
  return { enter, waiting: () => ready.size, inFlight: () => inFlight };
}

/** All passes share this error, because capturing a stack trace would be the most expensive part of a pass. */
const GONE = clientDisconnected();

/** What a pass calls at its gate. */
interface GateSlot {
  add(this: void, read: QueuedRead): void;
  end(this: void, partitions: number): void;
  leave(this: void): void;
}

function createPass(milliseconds: number, { add, end, leave }: GateSlot): Pass {
  const rejects = new Set<(reason: Error) => void>();
  const close = (reason = GONE) => {
    if (pass.closed) return;
    pass.closed = reason;
    pass.until = -Infinity;
    clearTimeout(timer);
    leave();
    for (const reject of rejects) reject(reason);
    rejects.clear();
  };
  const timer = setTimeout(() => {
    close(deadlineExceeded(milliseconds));
  }, milliseconds);
  // Every read of every request passes here, and a `finally` would double the cost of its promises.
  const untilClosed = <T>(start: (then: (work: Promise<T>) => void) => void, ended: () => void) =>
    new Promise<T>((resolve, reject) => {
      if (pass.closed) {
        reject(pass.closed);
        return;
      }
      rejects.add(reject);
      start((work) => {
        work.then(
          (value) => {
            ended();
            rejects.delete(reject);
            resolve(value);
          },
          (reason: unknown) => {
            ended();
            rejects.delete(reject);
            reject(asError(reason));
          },
        );
      });
    });
  // It has no getters: see "What a request leaves behind dies young" in docs/decisions.md.
  const pass: Mutable<Pass> = {
    until: performance.now() + milliseconds,
    reads: 0,
    closed: null,
    close,
    run: (partitions, read) =>
      untilClosed(
        (then) => {
          const begin = () => {
            pass.reads += partitions;
            then(read());
          };
          add({ partitions, begin });
        },
        () => {
          end(partitions);
        },
      ),
    within: (work) =>
      untilClosed(
        (then) => {
          then(work);
        },
        () => undefined,
      ),
  };
  return pass;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Whether a read fits within a limit. A read that is larger than the limit may run while nothing else does. */
function fits(used: number, more: number, max: number): boolean {
  return used === 0 || used + more <= max;
}

function isReady({ inFlight, queue: [first] }: GateRequest, maxPerRequest: number): boolean {
  return first !== undefined && fits(inFlight, first.partitions, maxPerRequest);
}
