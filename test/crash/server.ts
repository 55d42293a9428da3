import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, type Operation, type Outcome } from './api';
import { Violation } from './violation';

/** How long a server may take to be ready, even while a node of its cluster is down. */
const MAX_START_MS = 60_000;
/** How long it may take to end in order. */
const MAX_STOP_MS = 60_000;

/** A module that ends the server when its standard input ends, and so whenever the test ends, in whatever way. */
const ENDING_WITH_US =
  '--import=data:text/javascript,process.stdin.on("end",()=>process.exit(1)).on("error",()=>process.exit(1)).resume()';

/** The options of a server. */
interface ServerOptions {
  readonly name: string;
  /** The arguments of Node, flags and program, of each version of the server: its starts are by these in turn. */
  readonly programs: readonly (readonly string[])[];
  /** Its own settings, beside those of all servers. */
  readonly settings?: NodeJS.ProcessEnv;
  /** The same at every start, so that clients find it again. */
  readonly port: number;
  /** The file to which its output is appended. */
  readonly log: string;
  /** Called if the server ends without being killed. */
  readonly onEnd: (violation: Violation) => void;
}

/** A server in its own process, which can be killed and started again. */
export class Server {
  readonly name: string;
  readonly url: string;
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;
  #ready = false;
  #waiting: (() => void)[] = [];
  #starts = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.name = options.name;
    this.url = `http://127.0.0.1:${options.port}`;
  }

  /** Whether it has been ready since its last start. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Starts the server with these settings. Resolves when it is ready. */
  async start(environment: NodeJS.ProcessEnv, maxMs = MAX_START_MS): Promise<void> {
    const { programs, settings, port, log, onEnd } = this.#options;
    const program = programs[this.#starts++ % programs.length] ?? [];
    const file = await open(log, 'a');
    const child = spawn(process.execPath, [ENDING_WITH_US, ...program], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        SEAL_AFTER_SECONDS: '1',
        ...environment,
        ...settings,
        PORT: String(port),
      },
      stdio: ['pipe', file.fd, file.fd],
    });
    this.#child = child;
    await file.close();
    child.once('exit', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#ready = false;
      onEnd(
        new Violation(
          `Server ${this.name} must run until it is killed, but ended: ${code ?? signal}; ${log}`,
        ),
      );
    });
    const until = Date.now() + maxMs;
    while (!(await this.#isReady())) {
      if (this.#child !== child) return;
      if (Date.now() > until)
        throw new Violation(`Server ${this.name} must be ready within ${maxMs} ms; ${log}`);
      await sleep(100);
    }
    this.#ready = true;
  }

  /** Kills the server without a warning, as if its machine broke. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Ends the server in order, as an upgrade does. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    this.#ready = false;
    const exit = once(child, 'exit');
    child.kill(signal);
    // One that does not end in order is killed, and so has no status.
    const late = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS);
    const [code] = (await exit) as [number | null];
    clearTimeout(late);
    if (signal === 'SIGTERM' && code !== 0)
      throw new Violation(
        `Server ${this.name} must end in order, but its status was ${code}; ${this.#options.log}`,
      );
  }

  /** Sends an operation once. */
  async send<T>(
    token: string,
    operation: Operation<T>,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Outcome<T>> {
    const outcome = send(this.url, token, operation, variables);
    if (operation.source.startsWith('mutation')) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const notify of waiting) notify();
    }
    return outcome;
  }

  /** Resolves when the next mutation is sent to the server, or after `timeout` milliseconds. */
  async nextMutation(timeout: number): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), sleep(timeout)]);
  }

  async #isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(5_000) })).ok;
    } catch {
      return false;
    }
  }
}
