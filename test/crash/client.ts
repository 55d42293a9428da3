import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/demo/network';
import type { Operation, Outcome } from './api';
import { between, pickOne } from './random';
import type { Server } from './server';
import { Violation } from './violation';

/** How long at most something is tried again, in milliseconds. */
const PATIENCE = 120_000;

/** When something was sent first and when its answer came, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** How something came to its answer. */
export interface Attempts extends Span {
  /** The servers that it was sent to; behind all but the last, why that gave no answer. */
  readonly tried: readonly string[];
}

type Answer<T> = Extract<Outcome<T>, { kind: 'answer' }> & Attempts;

/** A definite answer. */
export type Settled<T> = Answer<T> | (Extract<Outcome<T>, { kind: 'refusal' }> & Attempts);

export type Variables = Readonly<Record<string, unknown>>;

/** One caller, who does one thing at a time. */
export class Client {
  readonly #servers: readonly Server[];
  readonly #token: string;
  readonly #random: Random;
  readonly #signal: AbortSignal;
  #last: Server | undefined;

  /** `signal` ends what is tried again. */
  constructor(servers: readonly Server[], token: string, random: Random, signal: AbortSignal) {
    this.#servers = servers;
    this.#token = token;
    this.#random = random;
    this.#signal = signal;
  }

  /** Sends an operation to any server, again and again until there is a definite answer. */
  async settle<T>(
    operation: Operation<T>,
    variables: Variables = {},
    first = this.#anyServer(),
  ): Promise<Settled<T>> {
    const from = Date.now();
    let server = first;
    const tried: string[] = [];
    for (;;) {
      this.#signal.throwIfAborted();
      const outcome = await server.send(this.#token, operation, variables);
      const to = Date.now();
      if (outcome.kind !== 'silence') {
        this.#last = server;
        return { ...outcome, from, to, tried: [...tried, server.name] };
      }
      tried.push(`${server.name} (${outcome.why})`);
      if (to - from > PATIENCE)
        throw new Violation(`${operation.name} must be answered within ${PATIENCE} ms`, {
          variables,
          tried,
        });
      await sleep(between(this.#random, 20, 250));
      server = this.#anyServer();
    }
  }

  /** Settles what must not be refused. */
  async ask<T>(operation: Operation<T>, variables: Variables = {}, first?: Server): Promise<T> {
    return answered(operation, variables, await this.settle(operation, variables, first)).data;
  }

  /** Asks another server than the one that answered last, if another is there. */
  async askOther<T>(query: Operation<T>, variables: Variables = {}): Promise<T> {
    const others = this.#servers.filter((server) => server !== this.#last);
    return this.ask(query, variables, pickOne(this.#random, others) ?? undefined);
  }

  #anyServer(): Server {
    const server = pickOne(this.#random, this.#servers);
    if (server === null) throw new Error('There must be a server');
    return server;
  }
}

/** The answer that was given; throws a `Violation` where it was refused. */
export function answered<T>({ name }: Operation<T>, variables: Variables, settled: Settled<T>): Answer<T> {
  if (settled.kind === 'refusal') throw new Violation(`${name} must succeed`, { variables, settled });
  return settled;
}
