import { rateLimited } from '../base/errors';
import type { Pass } from '../reads/gate';
import { TokenBuckets, type BucketState } from '../base/token-bucket';

/** How much each caller may ask of this server; 0 turns a limit off. */
interface Rates {
  /**
   * Points: one for each read, at least 1 per request, or more for many bytes. They are taken first for the bound of a request, and in the
   * end for its actual reads and its answer.
   */
  readonly pointsPerMinute: number;
  /** Mutation fields; each alias counts. */
  readonly mutationsPerMinute: number;
  /** Changes that one caller makes to its relation with one target: a follow, like or share of it, or the removal of a reply to it. */
  readonly pairPerHour: number;
  /** Requests of one caller that run at the same time, or whose answers it has not read yet. */
  readonly requestsAtOnce: number;
  /** Subscriptions of one caller that are open at the same time. */
  readonly subscriptionsAtOnce: number;
}

/** The limit that refused a request, for metrics. */
export type RateLimit = 'points' | 'mutations' | 'pair';

/** The rate limits of a caller, for one of its requests. Each method that refuses throws `RATE_LIMITED`. */
export interface RequestLimits {
  /** Takes the one point that every request costs, even if it is refused later. */
  countRequest(): void;
  /** Takes points for the work of computing an operation's cost. They are not given back: the request costs no less than them. */
  countWork(points: number): void;
  /** Takes the points that an operation may need at most and its mutation fields, before it runs; again with more points, if it has reserved more. */
  charge(points: number, mutations: number): void;
  /**
   * Waits until the caller's other requests leave room for the operation. Its weight is its cost as a fraction of what one
   * request may cost. Rejects when the pass is closed. An operation that has reserved more begins again with a greater weight: it gives
   * back the room that it has, and waits for more.
   */
  waitForRoom(weight: number, pass: Pass): Promise<void>;
  /** Gives back the points that the operation was charged for, but for those that it has used. */
  giveBackUnused(used: number): void;
  /**
   * Takes the points of an answer that was made, if they are more than the request costs anyway. It refuses nothing, because the work is done:
   * if the caller has fewer left, its next requests wait until they have come back.
   */
  countAnswer(points: number): void;
  /**
   * Makes a change to the caller's relation with a target, unless the caller has made too many. `change` resolves to whether it
   * changed anything, and so does this. If it changed nothing, or failed, it does not count, so repeating a change is free.
   */
  pair(kind: string, target: string, change: () => Promise<boolean>): Promise<boolean>;
  /** The header fields that say what is left (draft-ietf-httpapi-ratelimit-headers-10), and when to try again. */
  headers(): Readonly<Record<string, string>>;
}

/** The limits of a caller without limits. */
export const unlimited: RequestLimits = {
  countRequest: () => undefined,
  countWork: () => undefined,
  charge: () => undefined,
  waitForRoom: () => Promise.resolve(),
  giveBackUnused: () => undefined,
  countAnswer: () => undefined,
  pair: (_kind, _target, change) => change(),
  headers: () => ({}),
};

/** Returns the rate limits of a caller, by the caller's key. */
type RateLimits = (caller: string) => Omit<RequestLimits, 'waitForRoom'>;

/** Creates the rate limits of a server, which are only kept in its memory. `refused` is called for each refusal. */
export function createRateLimits(rates: Rates, refused: (limit: RateLimit) => void): RateLimits {
  const policies = {
    points: createPolicy('points', rates.pointsPerMinute, 60, refused),
    mutations: createPolicy('mutations', rates.mutationsPerMinute, 60, refused),
    pair: createPolicy('pair', rates.pairPerHour, 3600, refused),
  };
  if (Object.values(policies).every((policy) => policy === null)) return () => unlimited;
  return (caller) => createLimits(caller, policies);
}

function createLimits(caller: string, { points, mutations, pair }: Policies): ReturnType<RateLimits> {
  const held = new Map<Policy, string>();
  let charged = 0;
  /** The least cost of the request, whatever it reads. */
  let least = 1;
  let wait = 0;
  const take = (policy: Policy, key: string, tokens: number, what: string) => {
    held.set(policy, key);
    const seconds = policy.take(key, tokens);
    if (seconds === 0) return;
    wait = Math.max(wait, seconds);
    throw rateLimited(describeRefusal(policy, key, tokens, what, seconds), seconds);
  };
  const chargePoints = (bound: number) => {
    if (points === null || bound <= charged) return;
    // All points are taken at once, because a request that costs more than a full bucket must find it full.
    points.giveBack(caller, charged);
    try {
      take(points, caller, bound, 'points');
      charged = bound;
    } catch (error) {
      points.takeAlways(caller, charged);
      throw error;
    }
  };
  return {
    countRequest() {
      if (points === null) return;
      take(points, caller, 1, 'points');
      charged = 1;
    },
    countWork(more) {
      least += more;
      chargePoints(least);
    },
    charge(bound, fields) {
      chargePoints(bound);
      if (mutations !== null && fields > 0) take(mutations, caller, fields, 'mutations');
    },
    giveBackUnused(used) {
      const unused = charged - Math.max(least, used);
      if (points === null || unused <= 0) return;
      points.giveBack(caller, unused);
      charged -= unused;
    },
    countAnswer(cost) {
      if (points === null || cost <= charged) return;
      points.takeAlways(caller, cost - charged);
      charged = cost;
    },
    async pair(kind, target, change) {
      const key = `${caller} ${kind} ${target}`;
      if (pair !== null) take(pair, key, 1, `changes of the kind "${kind}" to one target`);
      let changed = false;
      try {
        return (changed = await change());
      } finally {
        if (!changed) pair?.giveBack(key, 1);
      }
    },
    headers: () => ({ ...describeLimits([...held]), ...(wait > 0 && { 'retry-after': String(wait) }) }),
  };
}

/** Says which limit refused a request, what the request asks for, what is left, and when enough will be left. */
function describeRefusal(policy: Policy, key: string, tokens: number, what: string, seconds: number): string {
  const { name, capacity } = policy;
  const needed = tokens > capacity ? `, for which ${capacity} must be left` : '';
  return `A caller may ${name === 'points' ? 'spend' : 'make'} ${capacity} ${what} in ${policy.seconds} s (the limit "${name}"). This request asks for ${tokens}${needed}, but the caller has ${policy.state(key).remaining} left. Try again in ${seconds} s.`;
}

type Policies = Readonly<Record<RateLimit, Policy | null>>;

/** One limit, with the token bucket of each key. */
interface Policy {
  readonly name: RateLimit;
  readonly capacity: number;
  readonly seconds: number;
  take(key: string, tokens: number): number;
  takeAlways(key: string, tokens: number): void;
  giveBack(key: string, tokens: number): void;
  state(key: string): BucketState;
}

function createPolicy(
  name: RateLimit,
  capacity: number,
  seconds: number,
  refused: (limit: RateLimit) => void,
): Policy | null {
  if (capacity === 0) return null;
  const buckets = new TokenBuckets({ capacity, seconds });
  return {
    name,
    capacity,
    seconds,
    takeAlways: (key, tokens) => {
      buckets.takeAlways(key, tokens);
    },
    giveBack: (key, tokens) => {
      buckets.giveBack(key, tokens);
    },
    state: (key) => buckets.state(key),
    take(key, tokens) {
      const wait = buckets.take(key, tokens);
      if (wait > 0) refused(name);
      return wait;
    },
  };
}

/** Structured fields (RFC 9651). They contain our own names and whole numbers only, which need no escaping. */
function describeLimits(held: readonly (readonly [Policy, string])[]): Readonly<Record<string, string>> {
  if (held.length === 0) return {};
  const limits = held.map(([policy, key]) => {
    const { remaining, resetSeconds } = policy.state(key);
    return `"${policy.name}";r=${remaining};t=${resetSeconds}`;
  });
  const policies = held.map(([{ name, capacity, seconds }]) => `"${name}";q=${capacity};w=${seconds}`);
  return { ratelimit: limits.join(', '), 'ratelimit-policy': policies.join(', ') };
}
