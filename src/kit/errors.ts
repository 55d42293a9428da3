import { GraphQLError } from 'graphql';

/** Every code that a client can see in `extensions.code`, with what it means. */
export const catalogue = {
  BAD_USER_INPUT: 'The request is not well formed, or a value in it is not allowed.',
  UNAUTHENTICATED: 'The token is not good, or what was asked for needs one.',
  FORBIDDEN: 'Another may do that, not this caller.',
  NOT_FOUND: 'A mutation names what is not there.',
  CONFLICT: 'A name, or an idempotency key, is taken for something else.',
  UNAVAILABLE: 'The database cannot answer now, or not in time; the request is safe to retry.',
  QUERY_TOO_LARGE: 'The query could cost more than the server allows, or its answer is larger.',
  INTERNAL_SERVER_ERROR: 'A bug in the server; its log tells more.',
} as const;

export type ErrorCode = keyof typeof catalogue;

/** An error whose message a client may read. */
export class ClientError extends GraphQLError {
  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, {
      extensions: { code, ...(code === 'QUERY_TOO_LARGE' && { http: { status: 400 } }) },
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

/** `UNAVAILABLE`: the time of a request is over. What it was about to write may be written. */
export function pastDeadline(milliseconds: number): ClientError {
  return new ClientError(
    'UNAVAILABLE',
    `This was not done within ${milliseconds} ms, the limit of a request. It is safe to try again.`,
  );
}

/** `UNAVAILABLE`, which nobody is told: the client went before it was answered. */
export function clientGone(): ClientError {
  return new ClientError('UNAVAILABLE', 'The client has gone.');
}

/** Whether an error is a `CONFLICT`. */
export function isConflict(error: unknown): boolean {
  return error instanceof ClientError && error.extensions['code'] === 'CONFLICT';
}
