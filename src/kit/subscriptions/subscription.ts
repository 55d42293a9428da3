import { clientDisconnected } from '../base/errors';
import type { FairSemaphore } from '../base/fair-semaphore';
import { allowBytes, reserveFor } from '../graphql/operations';
import { FREE_SIZED, sizedSumOf } from '../cost/cost';
import type { QueryCost } from '../cost/query-cost';
import type { Pass } from '../reads/gate';
import type { Load } from '../reads/load';
import type { Ending, Ticker } from './live';
import { MAX_WEIGHT } from '../rate-limits/caller-queues';
import type { RequestLimits } from '../rate-limits/rate-limits';
import { computeWeight, countPoints, pointsOfAnswer, READ_BYTES_PER_POINT } from '../graphql/admission';
import { countCharacters } from '../graphql/answer-size';
import { notExecuted, type RequestedOperation } from '../graphql/executor';
import { executeInPlace } from './event-place';
import type { LiveSource } from './live-stream';
import { beginEvents, formatEvent, checkRequest } from './live-work';
import type { RequestContext } from '../graphql/request-context';
import type { SharedReads } from './shared-reads';
import type { LiveResult, LiveServices, Subscriber, SubscriptionRequest } from './live-services';

/** The services that the subscriptions of a server share. */
interface LiveServer extends LiveServices {
  readonly ticker: Ticker;
  /**
   * The rooms for events while they are executed: one for those that share their reads with others, and one for those that have their own.
   */
  readonly rooms: Readonly<Record<'shared' | 'own', FairSemaphore>>;
  readonly sharedReads: SharedReads;
  /** Counts one more subscription. Throws if there are too many. Returns the function that ends it. */
  countSubscription(this: void, subscriber: Subscriber): () => void;
}

/** How much of a caller's room a subscription takes while it begins: half as much as a mutation, so that eight begin at once. */
const BEGINNING_WEIGHT = MAX_WEIGHT / 8;

/** The operation that is executed for each event, and its cost. */
interface Begun {
  readonly requested: RequestedOperation;
  readonly cost: QueryCost;
}

/**
 * The greatest cost of an event that reads together with others. Bytes that are read together cannot be told apart, so an event may have no
 * more than the points of so many reads pay for.
 */
const MAX_SHARED_READS = 32;
const MAX_SHARED_BYTES = MAX_SHARED_READS * READ_BYTES_PER_POINT;

/**
 * Closes a pass if a subscription ends before the returned function is called: what waits for a client that has left would stay in memory
 * until its time is over. The subscription keeps nothing else of it.
 */
function closeAtEnd(pass: Pass, ending: Ending): () => void {
  let open: Pass | null = pass;
  ending.onEnd(() => open?.close());
  return () => {
    open = null;
  };
}

/** About how many bytes the rows have by which subscriptions find their events. */
const BYTES_PER_ROW = 100;

/** How many points reads cost that are shared with others. */
function pointsOfShared({ reads, rows }: { readonly reads: number; readonly rows: number }): number {
  return countPoints({ reads }, rows * BYTES_PER_ROW);
}

/** One subscription. It keeps little while it waits, because a server has many. */
export class Subscription implements LiveSource {
  readonly #server: LiveServer;
  readonly #subscriber: Subscriber;
  readonly #onClosed: () => void;
  /** Its events begin later: a stream is opened first. */
  readonly #receivedAt = Date.now();
  /** The request, until the subscription has begun. */
  #request: (() => SubscriptionRequest) | null;
  #begun: Begun | null = null;
  /** Stops counting it; null if it was not counted. */
  #leave: (() => void) | null = null;

  constructor(
    server: LiveServer,
    request: () => SubscriptionRequest,
    subscriber: Subscriber,
    onClosed: () => void,
  ) {
    this.#server = server;
    this.#request = request;
    this.#subscriber = subscriber;
    this.#onClosed = onClosed;
  }

  /** Checks the request as that for a query, charges its start, and begins its events. */
  async beginEvents(ending: Ending): Promise<AsyncIterator<object>> {
    const { schema, operations, countSubscription } = this.#server;
    const subscriber = this.#subscriber;
    this.#leave = countSubscription(subscriber);
    const asked = this.#request?.() ?? NOTHING;
    this.#request = null;
    const live = this.#liveUntil(ending);
    return this.#within(async (context, pass) => {
      context.limits.countRequest();
      await context.limits.waitForRoom(BEGINNING_WEIGHT, pass);
      if (ending.isEnded()) throw clientDisconnected();
      const requested = await checkRequest(this.#server, asked, subscriber.caller, pass);
      await operations.checkAndCharge(requested, context);
      const events = await beginEvents(schema, requested, { ...context, live });
      this.#begun = { requested, cost: eventCost(context.cost) };
      return events[Symbol.asyncIterator]();
    }, ending);
  }

  /**
   * The means of the subscription's field until `ending`. These functions last as long as the subscription, and would keep the request in
   * memory if they were created where it is known.
   */
  #liveUntil(ending: Ending) {
    const { signals, ticker, config, sharedReads } = this.#server;
    const subscriber = this.#subscriber;
    return {
      begin: <T>(work: () => Promise<T>) =>
        this.#within(async ({ limits }, pass) => {
          await limits.waitForRoom(BEGINNING_WEIGHT, pass);
          // Its client may have left while it waited.
          if (ending.isEnded()) throw clientDisconnected();
          return work();
        }, ending),
      signals,
      ticker,
      receivedAt: this.#receivedAt,
      ending,
      readEveryMs: config.live.readSeconds * 1000,
      read: <T>(work: (context: RequestContext) => Promise<T>) =>
        sharedReads(async (shared) => {
          const { load, pass } = shared;
          const limits = subscriber.limits();
          const result = await work(subscriber.contextOf({ pass, limits, load }));
          limits.charge(pointsOfShared(shared), 0);
          return result;
        }),
      readRows: <T>(work: (load: Load) => Promise<T>) =>
        sharedReads(async (shared) => {
          const result = await work(shared.load);
          subscriber.limits().charge(pointsOfShared(shared), 0);
          return result;
        }),
    };
  }

  /**
   * Executes the selection for an event: first the caller's room is waited for, then a place of the server. Events of the same turn of the
   * event loop read together, because one tweet comes to many timelines. A selection that may read much has reads of its own: others would
   * wait for them, and it is charged for their bytes.
   */
  async resultOf(event: object, ending: Ending): Promise<LiveResult> {
    if (this.#begun === null) throw new Error('a subscription must have begun before its events');
    const { requested, cost } = this.#begun;
    const { rooms, config, execution, observer, sharedReads } = this.#server;
    const isShared = cost.reads <= MAX_SHARED_READS && cost.bytes <= MAX_SHARED_BYTES;
    const points = countPoints(cost);
    const execute = async (reading: Reading, context: RequestContext, ownPass?: Pass) => {
      if (ending.isEnded()) {
        // It ended while its event waited, as may hundreds of others of a client that has left.
        giveBackUnused(context.limits, NOTHING_READ);
        throw clientDisconnected();
      }
      context.cost = cost;
      context.reserve = reserveFor(context, config.limits);
      if (ownPass) allowBytes(context, ownPass, points);
      const executed = await execution.run(requested, context, event);
      giveBackUnused(context.limits, reading);
      context.limits.countAnswer(pointsOfAnswer(countCharacters(executed, config.limits.answerBytes)));
      return formatEvent(this.#server, executed);
    };
    const result = await this.#withLimits(async (own) => {
      own.charge(points, 0);
      try {
        await this.#withPass((pass) => own.waitForRoom(computeWeight(cost, config.limits), pass));
      } catch (error) {
        giveBackUnused(own, NOTHING_READ);
        return formatEvent(this.#server, { errors: [notExecuted(error)] });
      }
      return executeInPlace(rooms[isShared ? 'shared' : 'own'], own, (limits) =>
        isShared
          ? sharedReads((shared) => {
              const { pass, load } = shared;
              return execute(shared, this.#subscriber.contextOf({ pass, load, limits }));
            })
          : this.#withPass((pass) => execute(pass, this.#subscriber.contextOf({ pass, limits }), pass)),
      );
    });
    observer.sent();
    return result;
  }

  errorOf(error: Error): LiveResult {
    return formatEvent(this.#server, { errors: [error] });
  }

  closed(how: string): void {
    this.#onClosed();
    if (this.#leave === null) return;
    this.#server.observer.ended(how);
    this.#leave();
  }

  /** Does work of the subscriber with a pass and limits of its own. Points that were charged for it and not used are given back. */
  #within<T>(work: (context: RequestContext, pass: Pass) => Promise<T>, ending: Ending): Promise<T> {
    return this.#withPass(async (pass) => {
      const release = closeAtEnd(pass, ending);
      try {
        return await this.#withLimits(async (limits) => {
          const result = await work(this.#subscriber.contextOf({ pass, limits }), pass);
          giveBackUnused(limits, pass);
          return result;
        });
      } finally {
        release();
      }
    });
  }

  /** Does work with a pass of its own. */
  async #withPass<T>(work: (pass: Pass) => Promise<T>): Promise<T> {
    const { gate, config } = this.#server;
    const pass = gate.openPass(config.limits.milliseconds, config.limits.readBytes);
    try {
      return await work(pass);
    } finally {
      pass.close();
    }
  }

  /** Does work with limits of its own. */
  async #withLimits<T>(work: (limits: RequestLimits) => Promise<T>): Promise<T> {
    const limits = this.#subscriber.limits();
    try {
      return await work(limits);
    } finally {
      limits.leave();
    }
  }
}

/** The log of the reads of some work. */
interface Reading {
  readonly reads: number;
  readonly bytes?: number;
}

const NOTHING_READ: Reading = { reads: 0 };

/** Gives back the points that work was charged for, but for those that it has used. */
function giveBackUnused(limits: RequestLimits, reading: Reading): void {
  limits.giveBackUnused(countPoints(reading, reading.bytes));
}

const NOTHING: SubscriptionRequest = { query: undefined, operationName: undefined, variables: undefined };

/**
 * Returns the cost of an event: that of the selection, without the reads by which the field of the subscription finds events, which are
 * charged apart. The costs of the single fields are left out, because every subscription keeps this.
 */
function eventCost({ reads, rows, bytes, nodes, values, fields }: QueryCost = NO_COST): QueryCost {
  const own = sizedSumOf(fields().filter(({ field }) => field.startsWith('Subscription.')));
  return {
    reads: Math.max(0, reads - own.reads),
    rows: Math.max(0, rows - own.rows),
    bytes: Math.max(0, bytes - own.bytes),
    nodes,
    values,
    size: 0,
    computed: 0,
    fields: () => [],
  };
}

const NO_COST: QueryCost = {
  ...FREE_SIZED,
  nodes: 0,
  values: 0,
  size: 0,
  computed: 0,
  fields: () => [],
};
