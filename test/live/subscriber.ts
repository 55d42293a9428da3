import { createClient as createEventsClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { authorization, type Harness } from '../support/harness';
import { metricOf } from '../support/metrics';

/** An event of a subscription. */
export interface Event<T = unknown> {
  readonly data?: T | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: { readonly code: string; readonly retryAfter?: number };
  }[];
}

/** A subscription of a test. */
export interface Subscribed<T> {
  /** All events so far. */
  readonly events: readonly Event<T>[];
  /** Resolves to the next event that was not taken yet. Rejects if there is none for a minute, or no more. */
  next(): Promise<Event<T>>;
  /** Resolves when the subscription has ended; to the close event of its socket or to an error if it did not end by itself. */
  readonly ended: Promise<unknown>;
  close(): Promise<void>;
}

/** What a subscription is begun with. */
interface Asked {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  /** A user's id, `service`, a `Bearer` header, or null for nobody. */
  readonly who?: string | null;
}

const MAX_WAIT_MS = 60_000;

const open = new Set<{ close(): Promise<void> }>();
afterEach(async () => {
  for (const subscribed of open) await subscribed.close();
  open.clear();
});

type Begin<T> = (sink: {
  next(event: Event<T>): void;
  error(error: unknown): void;
  complete(): void;
}) => () => void;

/** Begins a subscription. Resolves when the server has received it: what is posted after that must come. */
async function subscribed<T>(
  address: string,
  begin: Begin<T>,
  dispose: () => Promise<void>,
): Promise<Subscribed<T>> {
  const before = await countReceived(address);
  const events: Event<T>[] = [];
  let taken = 0;
  let wake: () => void = () => undefined;
  let isEnded = false;
  let end: (how: unknown) => void = () => undefined;
  const ended = new Promise<unknown>((resolve) => (end = resolve));
  const finish = (how: unknown) => {
    isEnded = true;
    end(how);
    wake();
  };
  const leave = begin({
    next(event) {
      events.push(event);
      wake();
    },
    error: finish,
    complete: () => {
      finish('complete');
    },
  });
  const own = {
    events,
    ended,
    async next() {
      const until = Date.now() + MAX_WAIT_MS;
      for (;;) {
        const event = events[taken];
        if (event) {
          taken++;
          return event;
        }
        const left = until - Date.now();
        if (isEnded || left <= 0) throw new Error(isEnded ? 'the subscription has ended' : 'no event came');
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    async close() {
      leave();
      await dispose();
    },
  };
  open.add(own);
  const isAnswered = () => events.length > 0 || isEnded;
  while (!isAnswered() && (await countReceived(address)) === before) await pause(20);
  return own;
}

/** How many subscriptions a server has begun since its start. */
export async function countReceived(address: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  const counts = metrics.matchAll(/^murmuration_subscriptions_(?:open|ended_total\{.*\}) (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Subscribes over WebSocket, by the client of graphql-ws, which does not connect again. */
export async function subscribe<T>(
  address: string,
  { query, variables = {}, who = null }: Asked,
): Promise<Subscribed<T>> {
  const client = createClient({
    url: `${address.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    ...(who !== null && { connectionParams: { authorization: await authorization(who) } }),
  });
  return await subscribed<T>(
    address,
    (sink) => client.subscribe({ query, variables }, sink as never),
    async () => {
      await client.dispose();
    },
  );
}

/** Subscribes as `text/event-stream`, by the client of graphql-sse, which does not connect again. */
export async function subscribeToEvents<T>(
  address: string,
  { query, variables = {}, who = null }: Asked,
): Promise<Subscribed<T>> {
  const client = createEventsClient({
    url: `${address}/graphql`,
    retryAttempts: 0,
    headers: who === null ? {} : { authorization: await authorization(who) },
  });
  return await subscribed<T>(
    address,
    (sink) => client.subscribe({ query, variables }, sink as never),
    async () => {
      client.dispose();
      return Promise.resolve();
    },
  );
}

/** How many subscriptions are open on a server. */
export function countOpen(server: Pick<Harness, 'get'>): Promise<number> {
  return metricOf(server, 'murmuration_subscriptions_open');
}

/** Resolves when a server knows that no client has a subscription any more. */
export async function untilNoneOpen(server: Pick<Harness, 'get'>): Promise<void> {
  while ((await countOpen(server)) > 0) await pause(50);
}

/** Waits some milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
