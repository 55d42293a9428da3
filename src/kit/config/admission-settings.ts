import { isIP } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { integerSetting } from '../base/integer-setting';

/** The fraction of V8's heap limit above which requests are shed, because garbage collection then takes most of the time. */
const SHED_HEAP_FRACTION = 0.85;

/** How many bytes of request bodies and unread answers may be buffered outside V8's heap before requests are shed. */
const MAX_BUFFER_BYTES = 512 * 1024 ** 2;

const limit = (byDefault: number) => integerSetting(0).default(byDefault);
const flag = (byDefault: boolean) => z.stringbool({ error: 'must be true or false' }).default(byDefault);

/** The settings for rate limits, for load shedding, and for what is public. A limit of 0 is off. */
export const admissionSettings = {
  TRUST_PROXY: z.string().transform(proxiesIn).optional(),
  SHED_EVENT_LOOP_MS: limit(500),
  SHED_HEAP_BYTES: limit(Math.floor(getHeapStatistics().heap_size_limit * SHED_HEAP_FRACTION)),
  SHED_BUFFER_BYTES: limit(MAX_BUFFER_BYTES),
  SHED_WAITING_REQUESTS: limit(500),
  RATE_POINTS_PER_MINUTE: limit(600_000),
  RATE_MUTATIONS_PER_MINUTE: limit(600),
  RATE_PAIR_PER_HOUR: limit(20),
  RATE_REQUESTS_AT_ONCE: limit(50),
  RATE_SUBSCRIPTIONS_AT_ONCE: limit(100),
  GRAPHIQL: flag(true),
  MODEL: flag(true),
  INTROSPECTION: flag(true),
  OPERATIONS_PORT: integerSetting(0, 65_535).optional(),
};

/** Groups the checked settings by what they are for. */
export function readAdmission(s: z.infer<z.ZodObject<typeof admissionSettings>>) {
  return {
    /** The proxies that are believed; none if clients reach the server directly. */
    trustedProxies: s.TRUST_PROXY ?? [],
    shedding: {
      eventLoopMs: s.SHED_EVENT_LOOP_MS,
      heapBytes: s.SHED_HEAP_BYTES,
      bufferBytes: s.SHED_BUFFER_BYTES,
      waitingRequests: s.SHED_WAITING_REQUESTS,
    },
    rates: {
      pointsPerMinute: s.RATE_POINTS_PER_MINUTE,
      mutationsPerMinute: s.RATE_MUTATIONS_PER_MINUTE,
      pairPerHour: s.RATE_PAIR_PER_HOUR,
      requestsAtOnce: s.RATE_REQUESTS_AT_ONCE,
      subscriptionsAtOnce: s.RATE_SUBSCRIPTIONS_AT_ONCE,
    },
    graphiql: s.GRAPHIQL,
    modelPage: s.MODEL,
    introspection: s.INTROSPECTION,
    /** Null if metrics and health are on the server's own port. */
    operationsPort: s.OPERATIONS_PORT ?? null,
  };
}

/** The ranges of addresses that have names. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Parses the addresses of the proxies that are trusted to tell where a request came from. Only addresses are allowed: if a number of
 * proxies or any proxy were trusted, a client that reaches the server directly could claim any address.
 */
function proxiesIn(text: string, context: z.RefinementCtx): string[] {
  const proxies = text.split(',').map((part) => part.trim().replace(/^\[(.*)\](\/\d+)?$/, '$1$2'));
  if (proxies.every(isProxy)) return proxies;
  context.addIssue(
    'must be addresses, ranges such as 10.0.0.0/8 or fd00::/8, loopback, linklocal or uniquelocal, comma separated',
  );
  return z.NEVER;
}

function isProxy(proxy: string): boolean {
  if (namedRanges.includes(proxy) || isIP(proxy) !== 0) return true;
  const [address = '', bits] = proxy.split('/');
  return isIP(address) !== 0 && Number(bits) > 0 && ipaddr.isValidCIDR(proxy);
}
