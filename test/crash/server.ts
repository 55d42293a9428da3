import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, type Operation, type Outcome } from './api';
import { Violation } from './violation';

/** How long a server may take to be ready, in milliseconds; also while a node of its cluster is down. */
const READY_WITHIN = 60_000;

/** It ends when its standard input does, and so with the test, however that ends. */
const ENDING_WITH_US =
  '--import=data:text/javascript,process.stdin.on("end",()=>process.exit(1)).on("error",()=>process.exit(1)).resume()';

/** How a server is started. */
export interface ServerOptions {
  readonly name: string;
  /** Arguments of Node: flags, program. */
  readonly program: readonly string[];
  /** The same at every start, so that clients find it again. */
  readonly port: number;
  /** A file to which all that it prints is added. */
  readonly log: string;
  /** Hears of a server that ended though nobody ended it. */
  readonly onEnd: (violation: Violation) => void;
}

/** A server in a process of its own, which can be killed and started again. */
export class Server {
  readonly name: string;
  readonly url: string;
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;
  #ready = false;
  #heard: (() => void)[] = [];

  constructor(options: ServerOptions) {
    this.#options = options;
    this.name = options.name;
    this.url = `http://127.0.0.1:${options.port}`;
  }

  /** Whether it has been ready since its last start. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Starts it with these settings; resolves when it is ready. */
  async start(environment: NodeJS.ProcessEnv): Promise<void> {
    const { program, port, log, onEnd } = this.#options;
    const file = await open(log, 'a');
    const child = spawn(process.execPath, [ENDING_WITH_US, ...program], {
      env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...environment, PORT: String(port) },
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
    const until = Date.now() + READY_WITHIN;
    while (!(await this.#isReady())) {
      if (this.#child !== child) return;
      if (Date.now() > until)
        throw new Violation(`Server ${this.name} must be ready within ${READY_WITHIN} ms; ${log}`);
      await sleep(100);
    }
    this.#ready = true;
  }

  /** Kills it as a broken machine would: without a warning. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    this.#ready = false;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** Sends an operation once. */
  async send<T>(
    token: string,
    operation: Operation<T>,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Outcome<T>> {
    const outcome = send(this.url, token, operation, variables);
    if (operation.source.startsWith('mutation')) {
      const heard = this.#heard;
      this.#heard = [];
      for (const hear of heard) hear();
    }
    return outcome;
  }

  /** Resolves when the next mutation is on its way to it, at the latest after `patience` milliseconds. */
  async nextMutation(patience: number): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => this.#heard.push(resolve)), sleep(patience)]);
  }

  async #isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(5_000) })).ok;
    } catch {
      return false;
    }
  }
}
