import type { GraphQLRequest, GraphQLResponse } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import { acceptedBy } from './media-type';

/** Seconds after which a client should try again if the server could answer nothing. */
export const RETRY_AFTER_SECONDS = 2;

/**
 * Sets the status of answers without data. An answer with data was not refused, even if some of its fields have errors.
 *
 * GraphQL over HTTP recommends 200 for `data: null`. While the database is down this server sends 503 instead, so that load
 * balancers, proxies and monitors, which do not read bodies, notice it.
 */
export function setResponseStatus(
  { body, http }: GraphQLResponse,
  { query, http: sent }: GraphQLRequest,
): void {
  if (body.kind !== 'single') return;
  const { data, errors = [] } = body.singleResult;
  if (
    http.status === 400 &&
    (data != null || (query && acceptedBy(sent?.headers.get('accept')).readsJsonOnly))
  )
    http.status = 200;
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

/** The codes of errors, each once. */
export function codesIn(errors: readonly GraphQLFormattedError[] = []): readonly string[] {
  return [...new Set(errors.map(({ extensions }) => String(extensions?.['code'])))];
}
