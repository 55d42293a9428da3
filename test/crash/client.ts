import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/kit/base/random';
import type { Operation, Outcome } from './api';
import { between, pickOne } from './random';
import type { Server } from './server';
import { Violation } from './violation';

/** For how long an operation is repeated. */
const MAX_RETRY_MS = 120_000;

/** When an operation was first sent and when its answer came, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The attempts of an operation until it was answered. */
export interface Attempts extends Span {
  /** The servers that it was sent to, in order; all but the last with the reason why they gave no answer. */
  readonly tried: readonly string[];
}

type Answer<T> = Extract<Outcome<T>, { kind: 'answer' }> & Attempts;

/** A definite answer: data or a refusal. */
export type Settled<T> = Answer<T> | (Extract<Outcome<T>, { kind: 'refusal' }> & Attempts);

export type Variables = Readonly<Record<string, unknown>>;

/** A client that sends one operation at a time. */
export class Client {
  readonly #servers: readonly Server[];
  readonly #token: string;
  readonly #random: Random;
  readonly #signal: AbortSignal;
  #last: Server | undefined;

  /** `signal` ends repeated attempts. */
  constructor(servers: readonly Server[], token: string, random: Random, signal: AbortSignal) {
    this.#servers = servers;
    this.#token = token;
    this.#random = random;
    this.#signal = signal;
  }

  /** Sends an operation to random servers until there is a definite answer. Throws a `Violation` if there is none for two minutes. */
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
      if (to - from > MAX_RETRY_MS)
        throw new Violation(`${operation.name} must be answered within ${MAX_RETRY_MS} ms`, {
          variables,
          tried,
        });
      await sleep(between(this.#random, 20, 250));
      server = this.#anyServer();
    }
  }

  /** Sends an operation that must not be refused, and resolves to its data. */
  async ask<T>(operation: Operation<T>, variables: Variables = {}, first?: Server): Promise<T> {
    return answered(operation, variables, await this.settle(operation, variables, first)).data;
  }

  /** Sends a query to another server than the one that answered last, if there is another. */
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

/** The answer of a settled operation. Throws a `Violation` if it was refused. */
export function answered<T>({ name }: Operation<T>, variables: Variables, settled: Settled<T>): Answer<T> {
  if (settled.kind === 'refusal') throw new Violation(`${name} must succeed`, { variables, settled });
  return settled;
}
