import type { GraphQLRequest, GraphQLResponse } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import { acceptedBy, RESPONSE_TYPE } from './media-type';

/** The status of an answer with data and errors, for clients of `application/graphql-response+json`. */
const PARTIAL_SUCCESS = 294;

/** Seconds after which a client should try again if the server could answer nothing. */
export const RETRY_AFTER_SECONDS = 2;

/**
 * Sets the status of answers, as GraphQL over HTTP says (September 2026). An answer with data was not refused, even if some of its fields
 * have errors: of the two media types, only the newer one has a status for that.
 *
 * For `data: null` the specification recommends the same. While the database is down this server sends 503 instead, so that load
 * balancers, proxies and monitors, which do not read bodies, notice it.
 */
export function setResponseStatus(
  { body, http }: GraphQLResponse,
  { query, http: sent }: GraphQLRequest,
): void {
  if (body.kind !== 'single') return;
  const { data, errors = [] } = body.singleResult;
  const { json, readsJsonOnly } = acceptedBy(sent?.headers.get('accept'));
  if (http.status === 400 && (data != null || (query && readsJsonOnly))) http.status = 200;
  if (json === RESPONSE_TYPE && errors.length > 0) {
    if (data !== undefined) http.status = PARTIAL_SUCCESS;
    else if (http.status === 400 && !errors.some(isSyntaxError)) http.status = refusedStatus(codesIn(errors));
  }
  if (data != null) return;
  const codes = codesIn(errors);
  if (codes.includes('RATE_LIMITED')) {
    http.status = 429;
    const retryAfter = errors.find(({ extensions }) => extensions?.['retryAfter'] !== undefined);
    if (retryAfter) http.headers.set('retry-after', String(retryAfter.extensions?.['retryAfter']));
  } else if (codes.length === 1 && codes[0] === 'UNAVAILABLE') {
    http.status = 503;
    http.headers.set('retry-after', String(RETRY_AFTER_SECONDS));
  }
}

/** Whether a document could not be parsed. */
export function isSyntaxError({ message }: { readonly message: string }): boolean {
  return message.startsWith('Syntax Error');
}

/** The status of a request that was understood and refused, for clients of `application/graphql-response+json`. */
export function refusedStatus(codes: readonly string[]): 403 | 422 {
  return codes.length === 1 && codes[0] === 'FORBIDDEN' ? 403 : 422;
}

/** The codes of errors, each once. */
export function codesIn(errors: readonly GraphQLFormattedError[] = []): readonly string[] {
  return [...new Set(errors.map(({ extensions }) => String(extensions?.['code'])))];
}
