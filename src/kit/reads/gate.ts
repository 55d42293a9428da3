import { asError, ClientError, clientDisconnected, deadlineExceeded, tooLarge } from '../base/errors';
import type { RequestTrace } from '../base/request-trace';
import { countWait, createWaits, type Waits } from '../base/waits';

/** How many partitions may be read at the same time, and how many bytes they may have. */
interface GateLimits {
  /** The most partitions that all requests of a server read at once. */
  readonly maxInFlight: number;
  /** The most partitions that a single request reads at once. */
  readonly maxPerRequest: number;
  /** The most bytes that all requests of a server read at once; no limit by default. */
  readonly maxBytesInFlight?: number;
  /** The most bytes that a single request reads at once; no limit by default. */
  readonly maxBytesPerRequest?: number;
}

/** Divides what Cassandra can do fairly among the requests of a server. */
export interface Gate {
  /**
   * Creates the pass of a request, whose deadline is `milliseconds` from now. It may read `maxBytes` bytes. The caller
   * must close it.
   */
  openPass(milliseconds: number, maxBytes?: number): Pass;
  /** How many requests have a read that waits for reads of other requests to end: 0 unless the server is at its limit. */
  waiting(): number;
  /** How many partitions are being read now. */
  inFlight(): number;
  /** How many bytes the reads of now may have at most. */
  bytesInFlight(): number;
  /** The reads that had to wait because of either limit. */
  readonly waits: Readonly<Waits>;
}

/** The permission of one request to read. Mutations read without it for what they write, so that their work goes on after the pass is closed. */
export interface Pass {
  /** The trace of the request, if it has one. */
  trace: RequestTrace | null;
  /** The deadline, on the clock of `performance.now()`; in the past once the pass is closed. */
  readonly until: number;
  /** How many partitions the request has read or begun to read. */
  readonly reads: number;
  /** How many bytes it has read. */
  readonly bytes: number;
  /**
   * Why the pass was closed: the request is past its deadline, its client has disconnected, or it has read more bytes than it may. Null
   * while it is open.
   */
  readonly closed: ClientError | null;
  /**
   * Runs `read`, which reads this many partitions, and at most `bytes` bytes, as soon as the limits allow. Rejects when
   * the pass is closed, also during the read; a read that has begun counts towards the limits until it ends.
   */
  run<T>(partitions: number, read: () => Promise<T>, bytes?: number): Promise<T>;
  /**
   * Counts bytes that the request has read. Throws `QUERY_TOO_LARGE` when they are more than it may read, and the error of `grow` when they
   * are more than `allowBytes` said. Both close the pass, because all further reads of a refused request would be in vain.
   */
  countBytes(bytes: number): void;
  /**
   * Says how many bytes the request is expected to read. `grow` is called with the bytes that it has read each time that it reads more than
   * that.
   */
  allowBytes(bytes: number, grow: (read: number) => void): void;
  /** Waits for any work; rejects when the pass is closed. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Closes the pass: it begins no further read, and rejects everything that still waits. Later calls have no effect. */
  close(reason?: ClientError): void;
}

/** How much a read takes of what may be read at the same time. */
interface ReadSize {
  readonly partitions: number;
  readonly bytes: number;
}

interface QueuedRead extends ReadSize {
  start(this: void): void;
  /** Since when it waits, on the clock of `performance.now()`; not given if it never did. */
  queuedAt?: number;
}

/** The partitions and bytes that are taken, and the most that may be. */
interface Taken {
  partitions: number;
  bytes: number;
  readonly max: ReadSize;
}

interface GateRequest {
  readonly taken: Taken;
  readonly queue: QueuedRead[];
}

/**
 * Creates a server's gate. While the server is at its limit, requests take turns, one read each. So a request with few reads waits for one
 * read of each other request, and not for all reads that a heavy request has queued before.
 */
export function createGate({
  maxInFlight,
  maxPerRequest,
  maxBytesInFlight = Infinity,
  maxBytesPerRequest = Infinity,
}: GateLimits): Gate {
  const all: Taken = {
    partitions: 0,
    bytes: 0,
    max: { partitions: maxInFlight, bytes: maxBytesInFlight },
  };
  const maxOfRequest: ReadSize = { partitions: maxPerRequest, bytes: maxBytesPerRequest };
  const waits = createWaits();
  // The requests that only wait for the limit of the server. A set keeps insertion order: the first request is next.
  const ready = new Set<GateRequest>();
  const beginRead = (request: GateRequest, read: QueuedRead) => {
    take(all, read, 1);
    take(request.taken, read, 1);
    if (read.queuedAt !== undefined) countWait(waits, read.queuedAt);
    read.start();
  };
  const beginReady = () => {
    for (const request of ready) {
      const read = request.queue[0];
      if (read && !fits(all, read)) return;
      ready.delete(request);
      request.queue.shift();
      if (read) beginRead(request, read);
      // This puts the request at the end of the line: the loop also visits what is added to the set meanwhile.
      if (isReady(request)) ready.add(request);
    }
  };
  const openPass = (milliseconds: number, maxBytes = Infinity) => {
    const request: GateRequest = { taken: { partitions: 0, bytes: 0, max: maxOfRequest }, queue: [] };
    const add = (read: QueuedRead) => {
      const isNext = request.queue.length === 0 && fits(request.taken, read);
      if (isNext && ready.size === 0 && fits(all, read)) {
        beginRead(request, read);
        return;
      }
      read.queuedAt = performance.now();
      request.queue.push(read);
      if (isNext) ready.add(request);
    };
    const end = (room: ReadSize) => {
      take(all, room, -1);
      take(request.taken, room, -1);
      if (isReady(request)) ready.add(request);
      beginReady();
    };
    const leave = () => {
      for (const { queuedAt } of request.queue) if (queuedAt !== undefined) countWait(waits, queuedAt);
      request.queue.length = 0;
      if (ready.delete(request)) beginReady();
    };
    return createPass(milliseconds, maxBytes, { add, end, leave });
  };
  return {
    openPass,
    waiting: () => ready.size,
    inFlight: () => all.partitions,
    bytesInFlight: () => all.bytes,
    waits,
  };
}

/** All passes share this error, because capturing a stack trace would be the most expensive part of a pass. */
const GONE = clientDisconnected();

/** The functions of the gate that a pass calls. */
interface GateSlot {
  add(this: void, read: QueuedRead): void;
  end(this: void, room: ReadSize): void;
  leave(this: void): void;
}

const growsNothing: (read: number) => void = () => undefined;

function createPass(milliseconds: number, maxBytes: number, { add, end, leave }: GateSlot): Pass {
  let allowed = Infinity;
  let growTo = growsNothing;
  const rejects = new Set<(reason: Error) => void>();
  const close = (reason = GONE) => {
    if (pass.closed) return;
    pass.closed = reason;
    pass.until = -Infinity;
    clearTimeout(timer);
    // A closed pass may be kept in memory for a while. It must not keep its request, too.
    growTo = growsNothing;
    pass.trace = null;
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
    trace: null,
    until: performance.now() + milliseconds,
    reads: 0,
    bytes: 0,
    closed: null,
    close,
    countBytes(bytes) {
      pass.bytes += bytes;
      if (pass.bytes <= allowed && pass.bytes <= maxBytes) return;
      try {
        if (pass.bytes > maxBytes)
          throw tooLarge(
            `A query may read at most ${maxBytes} bytes, but this one has read ${pass.bytes}: ask for smaller pages or fewer fields.`,
          );
        growTo(pass.bytes);
        allowed = pass.bytes;
      } catch (error) {
        if (error instanceof ClientError) close(error);
        throw error;
      }
    },
    allowBytes(bytes, grow) {
      allowed = bytes;
      growTo = grow;
    },
    run: (partitions, read, bytes = 0) =>
      untilClosed(
        (then) => {
          const start = () => {
            pass.reads += partitions;
            then(read());
          };
          add({ partitions, bytes, start });
        },
        () => {
          end({ partitions, bytes });
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

/** Whether a read fits within the limits. A read that is larger than a limit may run while nothing else does. */
function fits({ partitions, bytes, max }: Taken, more: ReadSize): boolean {
  return (
    partitions === 0 ||
    (partitions + more.partitions <= max.partitions && (bytes === 0 || bytes + more.bytes <= max.bytes))
  );
}

function take(taken: Taken, { partitions, bytes }: ReadSize, sign: 1 | -1): void {
  taken.partitions += sign * partitions;
  taken.bytes += sign * bytes;
}

function isReady({ taken, queue: [first] }: GateRequest): boolean {
  return first !== undefined && fits(taken, first);
}
