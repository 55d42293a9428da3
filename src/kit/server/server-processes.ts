import cluster, { type Worker as ServerProcess } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { fromServer } from '../base/each-process';
import type { ServerConfig } from '../config/config';
import { askAll, tell } from './ask-all';
import { closeUntaken } from './close-untaken';

/** No server process can be started. The output of the processes says why. */
export class ServerProcessError extends Error {}

/** Milliseconds until a process that ended is started again: at first, and at most. They double while it ends soon again. */
const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A process that ran for this long did not end soon. */
const SOON_MS = 60_000;
/** How often in a row each place's process may end before it is ready, if one has been ready before. */
const MAX_FAILED_STARTS = 6;

/** A place in which one process runs after another. */
interface Place {
  process: ServerProcess | null;
  isReady: boolean;
  /** How many processes in a row ended before they were ready. */
  failedStarts: number;
}

/**
 * Runs server processes that share their ports until `stopped`, then ends them in order. One that ends before is started again.
 * The first one starts alone, so that a fault of the settings is told once. `onReady` is called with its banner.
 *
 * @throws ServerProcessError if the first process ends before it is ready, or if no process can be started any more
 */
export async function runServerProcesses(
  { workers, logCallerSecret }: Pick<ServerConfig, 'workers' | 'logCallerSecret'>,
  logger: Logger,
  stopped: Promise<unknown>,
  onReady: (banner: string) => void,
): Promise<void> {
  const group = new ServerProcesses(workers, logger, {
    // Without one, each process would hash callers by a secret of its own.
    LOG_CALLER_SECRET: logCallerSecret ?? randomBytes(32).toString('hex'),
  });
  void stopped.then(() => group.stop());
  try {
    await group.run(onReady);
  } finally {
    await group.stop();
  }
}

/** Processes that are kept running. */
class ServerProcesses {
  readonly #places: Place[] = [];
  readonly #running: Promise<void>[] = [];
  readonly #ready = Promise.withResolvers<string>();
  readonly #stopping = new AbortController();
  #allowedFailures = 1;
  #restarts = 0;

  constructor(
    private readonly count: number,
    private readonly logger: Logger,
    private readonly environment: Readonly<Record<string, string>>,
  ) {
    cluster.on('message', (server, message) => {
      const { data } = fromServer.safeParse(message);
      if (data?.kind === 'ask') void this.#answer(server, data.question, data.enoughAfterMs);
      if (data?.kind === 'ready') this.#becomeReady(server, data.banner);
    });
  }

  /** Resolves after `stop`. Rejects if no process can be started. */
  async run(onReady: (banner: string) => void): Promise<void> {
    const first = this.#addPlace();
    const banner = await Promise.race([this.#ready.promise, first]);
    if (typeof banner !== 'string') return;
    onReady(banner);
    this.#allowedFailures = MAX_FAILED_STARTS;
    for (let n = 1; n < this.count; n++) void this.#addPlace();
    await Promise.all(this.#running);
  }

  /** Ends all processes in order. */
  async stop(): Promise<void> {
    if (!this.#isStopping()) {
      this.#stopping.abort();
      // A second signal would end a process at once.
      for (const { process } of this.#places) process?.process.kill('SIGTERM');
    }
    await Promise.allSettled(this.#running);
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #addPlace(): Promise<void> {
    const place: Place = { process: null, isReady: false, failedStarts: 0 };
    this.#places.push(place);
    const running = this.#keepRunning(place);
    this.#running.push(running);
    return running;
  }

  /** Runs one process after another in a place, until `stop`. */
  async #keepRunning(place: Place): Promise<void> {
    for (let soonEnded = 0; !this.#isStopping(); this.#restarts++) {
      const startedAt = performance.now();
      const how = await this.#runOnce(place);
      if (this.#isStopping()) return;
      if (this.#places.every(({ failedStarts }) => failedStarts >= this.#allowedFailures))
        throw new ServerProcessError(
          `A server process must become ready, but each ended before, the last one with ${how}. The lines above say why.`,
        );
      soonEnded = performance.now() - startedAt < SOON_MS ? soonEnded + 1 : 1;
      const milliseconds = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** (soonEnded - 1));
      this.logger.error({ how, milliseconds }, 'a server process ended and will be started again');
      await sleep(milliseconds, undefined, this.#stopping).catch(() => undefined);
    }
  }

  /** Runs a process until it ends. Resolves to how it ended. */
  async #runOnce(place: Place): Promise<string> {
    const server = cluster.fork(this.environment);
    closeUntaken(server);
    place.process = server;
    const how = await new Promise<string>((resolve) => {
      server.once('exit', (status, signal) => {
        resolve(signal ? `the signal ${signal}` : `the status ${status}`);
      });
      server.on('error', (error) => {
        // A process that could not be created has no exit. Other errors are those of messages to a process that ends.
        if (server.process.pid === undefined) resolve(`the error ${error.message}`);
      });
    });
    if (!place.isReady) place.failedStarts++;
    place.process = null;
    place.isReady = false;
    return how;
  }

  #becomeReady(server: ServerProcess, banner: string): void {
    for (const place of this.#places)
      if (place.process === server) {
        place.isReady = true;
        place.failedStarts = 0;
      }
    this.#ready.resolve(banner);
  }

  async #answer(asking: ServerProcess, question: string, enoughAfterMs?: number): Promise<void> {
    const ready = this.#places.flatMap(({ process, isReady }) => (isReady && process ? [process] : []));
    const answers = await askAll(ready, question, enoughAfterMs);
    tell(asking, {
      kind: 'answers',
      question,
      answers: [...answers],
      processes: this.count,
      restarts: this.#restarts,
    });
  }
}
