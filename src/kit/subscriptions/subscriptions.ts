import { ClientError, overloaded } from '../base/errors';
import { createFairSemaphore } from '../base/fair-semaphore';
import { createTicker } from './live';
import { createLiveStream, type LiveStream } from './live-stream';
import { createSharedReads } from './shared-reads';
import { Subscription } from './subscription';
import type { Subscriber, SubscriptionRequest, LiveServices } from './live-services';

/** The subscriptions of a server. */
export interface Subscriptions {
  /** Begins a subscription. If it is wrong, or if `request` throws, the error is its first and last event. */
  start(this: void, request: () => SubscriptionRequest, subscriber: Subscriber): LiveStream;
  /** Ends all subscriptions with an error that says to subscribe again, and begins no more. Resolves when all have ended. */
  drain(this: void): Promise<void>;
}

/** How many events are executed at the same time, with reads that they share or of their own: more would keep other requests waiting. */
const EVENTS_AT_ONCE = { shared: 256, own: 64 };

/** How much of a server's places for subscriptions all callers without a token may take together: their addresses cost nothing. */
const UNKNOWN_SHARE = 3 / 4;

/** Seconds after which a client should subscribe again. */
const RETRY_AFTER_SECONDS = 1;

const DRAINED = 'The server is shutting down: subscribe again after the last cursor.';

/** Creates the subscriptions of a server. */
export function createSubscriptions(services: LiveServices): Subscriptions {
  const { config, database, gate, observer } = services;
  const open = new Set<LiveStream>();
  const ticker = createTicker();
  const entered = { known: 0, unknown: 0 };
  let isDrained = false;
  const emptied: PromiseWithResolvers<void> = Promise.withResolvers();

  /** Counts one more subscription. Throws if there are too many. Returns the function that ends it. */
  const countSubscription = (subscriber: Subscriber): (() => void) => {
    if (isDrained)
      throw new ClientError('UNAVAILABLE', DRAINED, undefined, { retryAfter: RETRY_AFTER_SECONDS });
    const { subscriptionsAtOnce } = config.live;
    const kind = subscriber.isKnown ? 'known' : 'unknown';
    if (
      entered.known + entered.unknown >= subscriptionsAtOnce ||
      (kind === 'unknown' && entered.unknown >= UNKNOWN_SHARE * subscriptionsAtOnce)
    )
      throw overloaded(RETRY_AFTER_SECONDS);
    const leave = subscriber.countSubscription();
    entered[kind]++;
    observer.opened();
    return () => {
      entered[kind]--;
      leave();
    };
  };

  const server = {
    ...services,
    ticker,
    countSubscription,
    rooms: {
      shared: createFairSemaphore(EVENTS_AT_ONCE.shared),
      own: createFairSemaphore(EVENTS_AT_ONCE.own),
    },
    sharedReads: createSharedReads(database, gate, config.limits.milliseconds),
  };
  return {
    start(request, subscriber) {
      const subscription = new Subscription(server, request, subscriber, () => {
        open.delete(stream);
        if (isDrained && open.size === 0) emptied.resolve();
      });
      const stream = createLiveStream(subscription);
      open.add(stream);
      return stream;
    },
    async drain() {
      isDrained = true;
      for (const stream of open)
        stream.end(new ClientError('UNAVAILABLE', DRAINED, undefined, { retryAfter: RETRY_AFTER_SECONDS }));
      if (open.size > 0) await emptied.promise;
      ticker.stop();
    },
  };
}
