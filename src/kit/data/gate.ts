import { clientGone, pastDeadline, type ClientError } from '../base/errors';

/** How many partitions may be read at once. */
export interface GateLimits {
  /** By all requests of a server. */
  readonly maxInFlight: number;
  /** By one request. */
  readonly maxPerRequest: number;
}

/** Shares what Cassandra can do among the requests of a server. */
export interface Gate {
  /** Lets a request in, whose time begins now. It must be closed. */
  enter(milliseconds: number): Pass;
  /** How many requests have a read that waits for others to make room: 0 unless the server reads as much as it may. */
  waiting(): number;
  /** How many partitions are being read. */
  inFlight(): number;
}

/** What one request reads by. What mutations read in order to write is not among it: their work goes on when the pass is closed. */
export interface Pass {
  /** When its time is over, on the clock of `performance.now()`; in the past once it is closed. */
  readonly until: number;
  /** How many partitions it has read, or begun to read. */
  readonly reads: number;
  /** Why it is closed: its time is over or its client has gone. Null while it is open. */
  readonly closed: ClientError | null;
  /**
   * Reads some partitions as soon as there is room. Rejects when the pass is closed, also while it reads; what has begun
   * keeps its room until it ends.
   */
  run<T>(partitions: number, read: () => Promise<T>): Promise<T>;
  /** Waits for any work, at most until the pass is closed. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Ends it: nothing is read any more, and whatever still waits is rejected. Later calls change nothing. */
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
 * Makes a server's gate. While there is no room, requests take turns, one read each: who reads little waits for one
 * read of each other request, not for all that a heavy one has asked for before.
 */
export function createGate({ maxInFlight, maxPerRequest }: GateLimits): Gate {
  let inFlight = 0;
  // The requests that would read now if there were room. A set keeps its order: the first is next.
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
      // A set that is walked comes to what is added meanwhile: the end of the row.
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

/** One for all: its stack would be the dearest part of a pass. */
const GONE = clientGone();

/** What a pass asks of its gate. */
interface GateSlot {
  add(this: void, read: QueuedRead): void;
  end(this: void, partitions: number): void;
  leave(this: void): void;
}

function createPass(milliseconds: number, { add, end, leave }: GateSlot): Pass {
  const rejects = new Set<(reason: Error) => void>();
  let until = performance.now() + milliseconds;
  let closed: ClientError | null = null;
  const close = (reason = GONE) => {
    if (closed) return;
    closed = reason;
    until = -Infinity;
    clearTimeout(timer);
    leave();
    for (const reject of rejects) reject(reason);
    rejects.clear();
  };
  const timer = setTimeout(() => {
    close(pastDeadline(milliseconds));
  }, milliseconds);
  // Each read of each request comes through here: a `finally` would make its promises twice as dear.
  const settle = <T>(start: (then: (work: Promise<T>) => void) => void, ended: () => void) =>
    new Promise<T>((resolve, reject) => {
      if (closed) {
        reject(closed);
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
            reject(reason instanceof Error ? reason : new Error(String(reason)));
          },
        );
      });
    });
  let reads = 0;
  return {
    get reads() {
      return reads;
    },
    get until() {
      return until;
    },
    get closed() {
      return closed;
    },
    close,
    run: (partitions, read) =>
      settle(
        (then) => {
          const begin = () => {
            reads += partitions;
            then(read());
          };
          add({ partitions, begin });
        },
        () => {
          end(partitions);
        },
      ),
    within: (work) =>
      settle(
        (then) => {
          then(work);
        },
        () => undefined,
      ),
  };
}

/** What is too large by itself has all the room. */
function fits(used: number, more: number, max: number): boolean {
  return used === 0 || used + more <= max;
}

function isReady({ inFlight, queue: [first] }: GateRequest, maxPerRequest: number): boolean {
  return first !== undefined && fits(inFlight, first.partitions, maxPerRequest);
}
