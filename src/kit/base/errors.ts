import { GraphQLError } from 'graphql';

/** Every code that a client can see in `extensions.code`, and what it means. */
export const catalogue = {
  BAD_USER_INPUT: 'The request is malformed, or a value in it is not allowed.',
  UNAUTHENTICATED: 'The token is not valid, or the request needs one and has none.',
  FORBIDDEN: 'This caller may not do that, but another one may.',
  NOT_FOUND: 'A mutation names something that does not exist.',
  CONFLICT:
    'A name is taken, an idempotency key was used for something else, or it is too late or too early for what is asked.',
  UNAVAILABLE:
    'The database cannot answer now or in time, or the server has too much to do; retry, a mutation with its idempotencyKey.',
  RATE_LIMITED:
    'The caller has asked for too much; `extensions.retryAfter` is the number of seconds to wait.',
  QUERY_TOO_LARGE: 'The query could cost more than the server allows, or its answer is too large.',
  INTERNAL_SERVER_ERROR: 'A bug in the server; its log has the cause.',
} as const;

export type ErrorCode = keyof typeof catalogue;

/** The fields of an error's `extensions` besides its code. */
export interface ErrorDetails {
  /** Whole seconds after which the request may be sent again. */
  readonly retryAfter?: number | undefined;
  /** Why it is forbidden. */
  readonly reason?: string | undefined;
  /** The path of the wrong value, beginning with an argument of the field, such as `first`, `input.content` or `words[1]`. */
  readonly argument?: string | undefined;
}

/** The details that the extensions of an error have. */
export function detailsIn({ retryAfter, reason, argument }: Readonly<Record<string, unknown>>): ErrorDetails {
  return {
    ...(typeof retryAfter === 'number' && { retryAfter }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof argument === 'string' && { argument }),
  };
}

/** An error whose message a client may read. */
export class ClientError extends GraphQLError {
  /** `cause` is logged, never sent to the client. */
  constructor(code: ErrorCode, message: string, cause?: unknown, details: ErrorDetails = {}) {
    super(message, {
      extensions: {
        code,
        ...(code === 'QUERY_TOO_LARGE' && { http: { status: 400 } }),
        ...detailsIn({ ...details }),
      },
      ...(cause instanceof Error && { originalError: cause }),
    });
  }
}

/**
 * `BAD_USER_INPUT`: the message says what must hold and what was given. `argument` is the path to the value, beginning with an argument of
 * the field, such as `first`, `input.content` or `words[1]`.
 *
 * @example
 * ```ts
 * if (nights < 1) throw badInput(`nights must be 1 or more, but got: ${nights}`, 'input.nights');
 * ```
 */
export function badInput(message: string, argument?: string): ClientError {
  return new ClientError('BAD_USER_INPUT', message, undefined, { argument });
}

/** Creates `BAD_USER_INPUT` for the value at a path. The message begins with the last part of the path: `content must not be blank.` */
export function badArgument(argument: string, rule: string): ClientError {
  return badInput(`${argument.slice(argument.lastIndexOf('.') + 1)} ${rule}`, argument);
}

/**
 * `UNAUTHENTICATED`. Thrown by a resolver it is the error of a field; thrown while the token of a request is checked it
 * refuses the whole request with status 401.
 */
export function unauthenticated(message: string): ClientError {
  return new ClientError('UNAUTHENTICATED', message);
}

/** `FORBIDDEN`: the message says who is allowed to do it; `extensions.reason` says why not, if clients must tell. */
export function forbidden(message: string, reason?: string): ClientError {
  return new ClientError('FORBIDDEN', message, undefined, { reason });
}

/**
 * `NOT_FOUND`: the message names what does not exist.
 *
 * @example
 * ```ts
 * throw notFound('Hotel 1 does not exist.');
 * ```
 */
export function notFound(message: string): ClientError {
  return new ClientError('NOT_FOUND', message);
}

/**
 * `CONFLICT`: the message names what is taken.
 *
 * @example
 * ```ts
 * throw conflict('Room 12 is taken on 2026-10-31.');
 * ```
 */
export function conflict(message: string): ClientError {
  return new ClientError('CONFLICT', message);
}

/**
 * `QUERY_TOO_LARGE`: the message names the limit and the count.
 *
 * @example
 * ```ts
 * if (nights > 30) throw tooLarge(`nights must be at most 30, but got: ${nights}`);
 * ```
 */
export function tooLarge(message: string): ClientError {
  return new ClientError('QUERY_TOO_LARGE', message);
}

/**
 * `UNAVAILABLE`: `cause` is logged, never sent to the client.
 *
 * @example
 * ```ts
 * try {
 *   await load(rooms.get, { hotelId: '1', number: 12 });
 * } catch (error) {
 *   throw unavailable(error);
 * }
 * ```
 */
export function unavailable(cause: unknown): ClientError {
  return new ClientError(
    'UNAVAILABLE',
    'The database cannot answer now. Try again; repeat a mutation with the same idempotencyKey if it takes one, because it may have been done.',
    cause,
  );
}

/** `UNAVAILABLE`: the clock of this machine is wrong; `message` says by how much. */
export function wrongClock(message: string): ClientError {
  return new ClientError('UNAVAILABLE', message);
}

/** `UNAVAILABLE`: the server closes. */
export function serverCloses(): ClientError {
  return new ClientError('UNAVAILABLE', 'This server is stopping. Try again: another one will answer.');
}

/** `UNAVAILABLE`: the request is past its deadline. */
export function deadlineExceeded(milliseconds: number): ClientError {
  return new ClientError(
    'UNAVAILABLE',
    `This was not done within ${milliseconds} ms, the time limit of a request. It may be tried again.`,
  );
}

/** `UNAVAILABLE`: the request has ended before its mutation, which goes on in the background. `cause` is why it ended. */
export function mutationStillRunning(cause: ClientError): ClientError {
  return new ClientError(
    'UNAVAILABLE',
    `${cause.message} This mutation may still complete: repeat it with the same idempotencyKey if it takes one.`,
  );
}

/** `UNAVAILABLE`: the client has disconnected before it was answered, so nobody receives this error. */
export function clientDisconnected(): ClientError {
  return new ClientError('UNAVAILABLE', 'The client has disconnected.');
}

/** `UNAVAILABLE`: the server has too much to do; the client may try again after `retryAfter` seconds. */
export function overloaded(retryAfter: number): ClientError {
  const message = `The server has too much to do now. It is safe to try again in ${retryAfter} s.`;
  return new ClientError('UNAVAILABLE', message, undefined, { retryAfter });
}

/**
 * `UNAVAILABLE`: the request was not begun, because other requests of its caller took its time. It is not `RATE_LIMITED`, because they may
 * have taken it while the database was slow.
 */
export function notBegun(retryAfter: number): ClientError {
  return new ClientError(
    'UNAVAILABLE',
    'This was not begun within the time limit of a request, because other requests of the caller were running. It may be tried again, with fewer such requests at once.',
    undefined,
    { retryAfter },
  );
}

/** `RATE_LIMITED`: the message names the limit; the client may try again after `retryAfter` seconds. */
export function rateLimited(message: string, retryAfter: number): ClientError {
  return new ClientError('RATE_LIMITED', message, undefined, { retryAfter });
}

/** The seconds after which a refused request may be sent again; null if its error does not say. */
export function retryAfterSeconds(error: unknown): number | null {
  return (error instanceof ClientError && detailsIn(error.extensions).retryAfter) || null;
}

/** Whether an error is a `QUERY_TOO_LARGE`. */
export function isTooLarge(error: unknown): boolean {
  return hasCode(error, 'QUERY_TOO_LARGE');
}

/** Whether an error is a `NOT_FOUND`. */
export function isNotFound(error: unknown): boolean {
  return hasCode(error, 'NOT_FOUND');
}

/** Whether an error is a `BAD_USER_INPUT`. */
export function isBadInput(error: unknown): error is ClientError {
  return hasCode(error, 'BAD_USER_INPUT');
}

/** Whether an error is a `CONFLICT`. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, 'CONFLICT');
}

/** Whether an error is an `UNAVAILABLE`. */
export function isUnavailable(error: unknown): error is ClientError {
  return hasCode(error, 'UNAVAILABLE');
}

function hasCode(error: unknown, code: ErrorCode): error is ClientError {
  return error instanceof ClientError && error.extensions['code'] === code;
}

/**
 * Creates the error of a request that is refused with status 400 before it is executed. A bad argument found later is an error of its field
 * instead.
 */
export function refused(
  message: string,
  code: ErrorCode = 'BAD_USER_INPUT',
  details: ErrorDetails = {},
): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code, http: { status: 400 }, ...detailsIn({ ...details }) },
  });
}

/** Returns a thrown value as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
