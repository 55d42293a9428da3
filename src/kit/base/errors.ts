import { GraphQLError } from 'graphql';

/** Every code that a client can see in `extensions.code`, with what it means. */
export const catalogue = {
  BAD_USER_INPUT: 'The request is not well formed, or a value in it is not allowed.',
  UNAUTHENTICATED: 'The token is not good, or what was asked for needs one.',
  FORBIDDEN: 'Another may do that, not this caller.',
  NOT_FOUND: 'A mutation names what is not there.',
  CONFLICT: 'A name, or an idempotency key, is taken for something else.',
  UNAVAILABLE:
    'The database cannot answer now, or not in time, or the server has too much to do; the request is safe to retry.',
  RATE_LIMITED: 'The caller has asked for too much; `extensions.retryAfter` tells the seconds to wait.',
  QUERY_TOO_LARGE: 'The query could cost more than the server allows, or its answer is larger.',
  INTERNAL_SERVER_ERROR: 'A bug in the server; its log tells more.',
} as const;

export type ErrorCode = keyof typeof catalogue;

/** An error whose message a client may read. */
export class ClientError extends GraphQLError {
  /** `cause` is logged, never shown; `retryAfter` is in whole seconds. */
  constructor(code: ErrorCode, message: string, cause?: unknown, retryAfter?: number) {
    super(message, {
      extensions: {
        code,
        ...(code === 'QUERY_TOO_LARGE' && { http: { status: 400 } }),
        ...(retryAfter !== undefined && { retryAfter }),
      },
      ...(cause instanceof Error && { originalError: cause }),
    });
  }
}

/** `BAD_USER_INPUT`: the message names what must hold and what came. */
export function badInput(message: string): ClientError {
  return new ClientError('BAD_USER_INPUT', message);
}

/** `UNAUTHENTICATED`: in a mutation or query; a request whose token is not good is refused whole, with status 401. */
export function unauthenticated(message: string): ClientError {
  return new ClientError('UNAUTHENTICATED', message);
}

/** `FORBIDDEN`: the message says who may. */
export function forbidden(message: string): ClientError {
  return new ClientError('FORBIDDEN', message);
}

/** `NOT_FOUND`: the message names what is not there. */
export function notFound(message: string): ClientError {
  return new ClientError('NOT_FOUND', message);
}

/** `CONFLICT`: the message names what is taken. */
export function conflict(message: string): ClientError {
  return new ClientError('CONFLICT', message);
}

/** `QUERY_TOO_LARGE`: the message names the limit and the count. */
export function tooLarge(message: string): ClientError {
  return new ClientError('QUERY_TOO_LARGE', message);
}

/** `UNAVAILABLE`: `cause` is logged, never shown. */
export function unavailable(cause: unknown): ClientError {
  return new ClientError('UNAVAILABLE', 'The database cannot answer now. It is safe to try again.', cause);
}

/** `UNAVAILABLE`: the time of a request is over. */
export function pastDeadline(milliseconds: number): ClientError {
  return new ClientError(
    'UNAVAILABLE',
    `This was not done within ${milliseconds} ms, the limit of a request. It may be tried again.`,
  );
}

/** `UNAVAILABLE`: the request of a mutation has ended before the mutation, which goes on; `cause` tells why. */
export function stillUnderWay(cause: ClientError): ClientError {
  return new ClientError(
    'UNAVAILABLE',
    `${cause.message} What this mutation has begun may still be done: repeat it with the idempotencyKey that it had, where it takes one.`,
  );
}

/** `UNAVAILABLE`, which nobody is told: the client went before it was answered. */
export function clientGone(): ClientError {
  return new ClientError('UNAVAILABLE', 'The client has gone.');
}

/** `UNAVAILABLE` for a server that has too much to do, until some seconds later. */
export function overloaded(retryAfter: number): ClientError {
  const message = `The server has too much to do now. It is safe to try again in ${retryAfter} s.`;
  return new ClientError('UNAVAILABLE', message, undefined, retryAfter);
}

/** `RATE_LIMITED`: the message names the limit; in so many seconds there is room again. */
export function rateLimited(message: string, retryAfter: number): ClientError {
  return new ClientError('RATE_LIMITED', message, undefined, retryAfter);
}

/** Seconds after which a refused request may be sent again, where its error tells them. */
export function retryAfterOf(error: unknown): number | null {
  const seconds = error instanceof ClientError ? error.extensions['retryAfter'] : undefined;
  return typeof seconds === 'number' ? seconds : null;
}

/** Whether an error is a `CONFLICT`. */
export function isConflict(error: unknown): boolean {
  return error instanceof ClientError && error.extensions['code'] === 'CONFLICT';
}

/** A request that ends before it is executed, unlike one of whose fields has a bad argument. */
export function refused(message: string, code: ErrorCode = 'BAD_USER_INPUT'): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: 400 } } });
}
