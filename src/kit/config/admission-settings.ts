import { isIP } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { whole } from '../base/whole';

/** Share of V8's heap limit from which on requests are shed: above it, collecting garbage takes most of the time. */
const SHED_HEAP_SHARE = 0.85;

/** Bytes of bodies that come in and of answers that nobody has read, outside V8's heap. */
const SHED_BUFFERS = 512 * 1024 ** 2;

const limit = (byDefault: number) => whole(0).default(byDefault);
const flag = (byDefault: boolean) => z.stringbool({ error: 'must be true or false' }).default(byDefault);

/** The settings of who may ask what, how much, and when the server refuses more work; a limit of 0 is off. */
export const admissionSettings = {
  TRUST_PROXY: z.string().transform(proxiesIn).optional(),
  SHED_EVENT_LOOP_MS: limit(500),
  SHED_HEAP_BYTES: limit(Math.floor(getHeapStatistics().heap_size_limit * SHED_HEAP_SHARE)),
  SHED_BUFFER_BYTES: limit(SHED_BUFFERS),
  SHED_WAITING_REQUESTS: limit(500),
  RATE_POINTS_PER_MINUTE: limit(600_000),
  RATE_MUTATIONS_PER_MINUTE: limit(600),
  RATE_PAIR_PER_HOUR: limit(20),
  RATE_REQUESTS_AT_ONCE: limit(50),
  GRAPHIQL: flag(true),
  MODEL: flag(true),
  INTROSPECTION: flag(true),
  OPERATIONS_PORT: whole(0, 65_535).optional(),
};

/** What the settings say. */
export function admissionOf(s: z.infer<z.ZodObject<typeof admissionSettings>>) {
  return {
    trustProxy: s.TRUST_PROXY ?? false,
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
    },
    graphiql: s.GRAPHIQL,
    modelPage: s.MODEL,
    introspection: s.INTROSPECTION,
    /** Null: metrics and health are on the server's own port. */
    operationsPort: s.OPERATIONS_PORT ?? null,
  };
}

/** The names that Fastify has for ranges of addresses. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * The addresses of the proxies that tell the truth about whom they forward. Only addresses: a number of proxies, or all of
 * them, would let a client that reaches the server by another way tell any address.
 */
function proxiesIn(text: string, context: z.RefinementCtx): string[] {
  const proxies = text.split(',').map((part) => part.trim());
  if (proxies.every((one) => namedRanges.includes(one) || isIP(one) !== 0 || ipaddr.isValidCIDR(one)))
    return proxies;
  context.addIssue(
    'must be addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal, comma separated',
  );
  return z.NEVER;
}
