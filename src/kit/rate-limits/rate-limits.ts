import { rateLimited } from '../base/errors';
import type { Pass } from '../data/gate';
import { TokenBuckets, type BucketState } from './token-bucket';

/** How much each caller may ask of this server; a limit of 0 is off. */
export interface Rates {
  /** Points are reads, counted by the bound of a request at first and by what it has read in the end; at least 1 a request. */
  readonly pointsPerMinute: number;
  /** Fields of mutations. */
  readonly mutationsPerMinute: number;
  /** Changes that one caller makes of its relation to one target: a follow, like or share of it, or the removal of a reply to it. */
  readonly pairPerHour: number;
  /** Requests of one caller that are worked on at once, or whose answers it has not read yet. */
  readonly requestsAtOnce: number;
}

/** What was refused, for metrics. */
export type RateLimit = 'points' | 'mutations' | 'pair';

/** What one caller may do, as one of its requests holds it. Each method that refuses throws `RATE_LIMITED`. */
export interface RequestLimits {
  /** Takes what any request costs, also one that is refused later. */
  enter(): void;
  /** Takes what an operation may read at most and the fields of a mutation, before it runs. Called once at most. */
  charge(points: number, mutations: number): void;
  /**
   * Waits until the caller's other requests leave room for the operation, whose weight is a share of what one request may
   * cost. Rejects when the pass is closed. Called once at most.
   */
  begin(weight: number, pass: Pass): Promise<void>;
  /** Gives back what the operation was charged and has not read. */
  settle(reads: number): void;
  /**
   * Makes a change of the caller's relation to a target unless it has made too many. `act` resolves to whether it
   * changed anything: what changed nothing, or failed, does not count, so that repeating an act is free.
   */
  pair(kind: string, target: string, act: () => Promise<boolean>): Promise<void>;
  /** The header fields that tell what is left (draft-ietf-httpapi-ratelimit-headers-10), and when to come back. */
  headers(): Readonly<Record<string, string>>;
}

/** The limits of whom nobody limits. */
export const unlimited: RequestLimits = {
  enter: () => undefined,
  charge: () => undefined,
  begin: () => Promise.resolve(),
  settle: () => undefined,
  async pair(_kind, _target, act) {
    await act();
  },
  headers: () => ({}),
};

/** Tells the rate limits of a caller, whom a key names. */
export type RateLimits = (caller: string) => Omit<RequestLimits, 'begin'>;

/** Makes the rate limits of a server, which are kept in its memory alone. `refused` hears of each refusal. */
export function createRateLimits(rates: Rates, refused: (limit: RateLimit) => void): RateLimits {
  const policies = {
    points: policyOf('points', rates.pointsPerMinute, 60, refused),
    mutations: policyOf('mutations', rates.mutationsPerMinute, 60, refused),
    pair: policyOf('pair', rates.pairPerHour, 3600, refused),
  };
  if (Object.values(policies).every((policy) => policy === null)) return () => unlimited;
  return (caller) => limitsOf(caller, policies);
}

function limitsOf(caller: string, { points, mutations, pair }: Policies): ReturnType<RateLimits> {
  const held = new Map<Policy, string>();
  let charged = 0;
  let wait = 0;
  const take = (policy: Policy, key: string, tokens: number, what: string) => {
    held.set(policy, key);
    const seconds = policy.take(key, tokens);
    if (seconds === 0) return;
    wait = Math.max(wait, seconds);
    throw rateLimited(
      `There may be ${policy.capacity} ${what} by one caller in ${policy.seconds} s, and too few are left now. Try again in ${seconds} s.`,
      seconds,
    );
  };
  return {
    enter() {
      if (points === null) return;
      take(points, caller, 1, 'reads');
      charged = 1;
    },
    charge(bound, fields) {
      if (points !== null && bound > charged) {
        // All at once: a request that is dearer than a full bucket may only have a full one.
        points.giveBack(caller, charged);
        try {
          take(points, caller, bound, 'reads');
          charged = bound;
        } catch (error) {
          points.take(caller, charged);
          throw error;
        }
      }
      if (mutations !== null && fields > 0) take(mutations, caller, fields, 'mutations');
    },
    settle(reads) {
      const unused = charged - Math.max(1, reads);
      if (points === null || unused <= 0) return;
      points.giveBack(caller, unused);
      charged -= unused;
    },
    async pair(kind, target, act) {
      const key = `${caller} ${kind} ${target}`;
      if (pair !== null) take(pair, key, 1, `changes of this one thing (${kind})`);
      let changed = false;
      try {
        changed = await act();
      } finally {
        if (!changed) pair?.giveBack(key, 1);
      }
    },
    headers: () => ({ ...headersOf([...held]), ...(wait > 0 && { 'retry-after': String(wait) }) }),
  };
}

type Policies = Readonly<Record<RateLimit, Policy | null>>;

/** One limit by its name. */
interface Policy {
  readonly name: RateLimit;
  readonly capacity: number;
  readonly seconds: number;
  take(key: string, tokens: number): number;
  giveBack(key: string, tokens: number): void;
  state(key: string): BucketState;
}

function policyOf(
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

/** Structured fields (RFC 9651) of our own names and whole numbers, which need no escaping. */
function headersOf(held: readonly (readonly [Policy, string])[]): Readonly<Record<string, string>> {
  if (held.length === 0) return {};
  const limits = held.map(([policy, key]) => {
    const { remaining, resetSeconds } = policy.state(key);
    return `"${policy.name}";r=${remaining};t=${resetSeconds}`;
  });
  const policies = held.map(([{ name, capacity, seconds }]) => `"${name}";q=${capacity};w=${seconds}`);
  return { ratelimit: limits.join(', '), 'ratelimit-policy': policies.join(', ') };
}
