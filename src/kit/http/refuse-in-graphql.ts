import type { FastifyInstance } from 'fastify';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { retryAfterSeconds } from '../base/errors';
import { acceptedBy, JSON_TYPE, RESPONSE_TYPE } from '../graphql/media-type';
import { isSyntaxError, refusedStatus, RETRY_AFTER_SECONDS } from '../graphql/response-status';

/** How many characters of a header an error repeats at most. */
const MAX_SHOWN_CHARACTERS = 50;

/** The codes of requests that were refused before GraphQL saw them. */
const refusals = new WeakMap<object, string>();

/**
 * Answers failures that come before GraphQL in its form: a body that is too large, invalid JSON, a query that is too large. Logs the bugs
 * of the server among them.
 */
export function refuseInGraphql(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler(async (error, request, reply) => {
    const own = error instanceof GraphQLError ? readCode(error) : null;
    const { json, readsJsonOnly } = acceptedBy(request.headers.accept);
    const isUnderstood = own !== null && error instanceof GraphQLError && !isSyntaxError(error);
    const refused = readsJsonOnly ? 200 : isUnderstood && json === RESPONSE_TYPE ? refusedStatus([own]) : 400;
    const status = own === null ? chooseStatus(error) : (statuses[own] ?? refused);
    const code =
      own ?? (status === 413 ? 'QUERY_TOO_LARGE' : status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR');
    refusals.set(request, code);
    if (code === 'INTERNAL_SERVER_ERROR') logger.error({ err: error }, 'a request failed');
    const type = JSON.stringify(request.headers['content-type']?.slice(0, MAX_SHOWN_CHARACTERS) ?? '');
    const message =
      Reflect.get(Object(error), 'code') === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
        ? `The content-type must be application/json, but got: ${type}`
        : (own !== null || status < 500) && error instanceof Error
          ? error.message
          : 'Something went wrong in the server.';
    const retryAfter = retryAfterSeconds(error);
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    if (retryAfter !== null || status === 503) reply.header('retry-after', retryAfter ?? RETRY_AFTER_SECONDS);
    const extensions = { code, ...(retryAfter !== null && { retryAfter }) };
    reply.code(status).type(json ?? JSON_TYPE);
    return reply.send({ errors: [{ message, extensions }] });
  });
}

/** The codes with which a request was refused before GraphQL saw it: here, or by Apollo, which then sends one of two codes. */
export function refusalCodes(request: object, status: number): readonly string[] {
  const code = refusals.get(request);
  if (code !== undefined) return [code];
  if (status < 400) return [];
  return [status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR'];
}

/** The statuses of some codes, whatever media type the client reads: proxies understand them, too. */
const statuses: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

function readCode({ extensions: { code } }: GraphQLError): string {
  return typeof code === 'string' ? code : 'BAD_USER_INPUT';
}

function chooseStatus(error: unknown): number {
  const status: unknown = Reflect.get(Object(error), 'statusCode');
  return typeof status === 'number' ? status : 500;
}
