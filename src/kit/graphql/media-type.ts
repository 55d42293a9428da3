import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** The media types of answers. If a client likes several equally, the first of these is chosen. */
export const JSON_TYPE = 'application/json; charset=utf-8';
export const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';
export const EVENTS_TYPE = 'text/event-stream; charset=utf-8';
/** Apollo's protocol of subscriptions over HTTP, the default of its clients for Kotlin, Swift and the web. */
export const PARTS_TYPE = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"';
const PAGE_TYPE = 'text/html; charset=utf-8';

const PARTS = 'multipart/mixed;subscriptionSpec=1.0';
const OTHER_PARAMETERS = /;\s*(?:boundary|deferSpec|incrementalSpec)\s*=\s*(?:"[^"]*"|[^;,"]*)/gi;

/** How many values of `Accept` are remembered. Clients send a few. */
const MAX_REMEMBERED = 100;

/** The media types that a client reads, by the `Accept` header of its request (RFC 9110, section 12.5.1). */
interface Accepted {
  /** The media type of an answer as JSON; null if the client reads neither of the two. */
  readonly json: string | null;
  /**
   * The media type of the stream of events that the client asks for; null if it asks for none. A range for all types does not, unless the
   * client reads no JSON.
   */
  readonly stream: typeof EVENTS_TYPE | typeof PARTS_TYPE | null;
  /** Whether it likes a stream better than JSON. */
  readonly prefersStream: boolean;
  /** Whether it likes a page better than JSON, as a browser does that opens an address. */
  readonly prefersPages: boolean;
  /**
   * Whether it names `application/json` and not `application/graphql-response+json`, as clients from before the latter do. Such a
   * client learns from the body that its query was refused, and expects the status 200 (GraphQL over HTTP, appendix A).
   */
  readonly readsJsonOnly: boolean;
}

const remembered = new LRUCache<string, Accepted>({ max: MAX_REMEMBERED });

/** The longest value of `Accept` that is read: the time to negotiate grows with the square of the number of ranges. */
const MAX_ACCEPT_CHARACTERS = 1000;

/**
 * Finds the media types that a client reads. Without the header, with an empty one or with one of more than 1,000 characters it reads
 * everything.
 */
export function acceptedBy(accept: string | undefined): Accepted {
  const header = accept?.trim() && accept.length <= MAX_ACCEPT_CHARACTERS ? accept : '*/*';
  let accepted = remembered.get(header);
  if (accepted === undefined) remembered.set(header, (accepted = negotiate(header)));
  return accepted;
}

function negotiate(accept: string): Accepted {
  const negotiator = new Negotiator({ headers: { accept } });
  const choose = (...types: string[]) => negotiator.mediaType(types) ?? null;
  const named = new Set(negotiator.mediaTypes().map((range) => range.toLowerCase()));
  const json = choose(JSON_TYPE, RESPONSE_TYPE);
  const asksForEvents =
    (named.has('text/event-stream') || named.has('text/*') || json === null) && choose(EVENTS_TYPE) !== null;
  // Clients that name this type without the parameter mean parts of a deferred answer. Which boundary they propose does not matter.
  const parts = new Negotiator({ headers: { accept: accept.replaceAll(OTHER_PARAMETERS, '') } });
  const asksForParts = parts.mediaType(['multipart/mixed', PARTS]) === PARTS;
  const likesParts = asksForParts && (!asksForEvents || parts.mediaType([PARTS, EVENTS_TYPE]) === PARTS);
  const best = parts.mediaType([JSON_TYPE, RESPONSE_TYPE, likesParts ? PARTS : EVENTS_TYPE]);
  return {
    json,
    stream: likesParts ? PARTS_TYPE : asksForEvents ? EVENTS_TYPE : null,
    prefersStream: best === PARTS || (best === EVENTS_TYPE && asksForEvents),
    prefersPages: choose(JSON_TYPE, RESPONSE_TYPE, PAGE_TYPE) === PAGE_TYPE,
    readsJsonOnly:
      choose(JSON_TYPE) !== null &&
      named.has('application/json') &&
      !named.has('application/graphql-response+json'),
  };
}
