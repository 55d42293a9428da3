import { z } from 'zod';
import { Violation } from './violation';

/** A GraphQL operation and the shape of its answer. */
export interface Operation<T> {
  readonly name: string;
  readonly source: string;
  readonly data: z.ZodType<T>;
}

/** The result of a request. */
export type Outcome<T> =
  | { readonly kind: 'answer'; readonly data: T }
  | { readonly kind: 'refusal'; readonly code: string; readonly message: string }
  /** Whether the operation was done is unknown. */
  | { readonly kind: 'silence'; readonly why: string };

/**
 * How long a server may take to answer. A request that takes longer is a violation and is not repeated, because the first
 * one could still take effect after a later operation, and then the model could not know the result.
 */
const MAX_ANSWER_MS = 60_000;

const answerShape = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }) })).default([]),
});

/** Sends an operation once. Throws a `Violation` if the answer is late or malformed. */
export async function send<T>(
  url: string,
  token: string,
  { name, source, data: shape }: Operation<T>,
  variables: Readonly<Record<string, unknown>>,
): Promise<Outcome<T>> {
  let status: number;
  let body: string;
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: source, variables }),
      signal: AbortSignal.timeout(MAX_ANSWER_MS),
    });
    status = response.status;
    body = await response.text();
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new Violation(`${name} must be answered within ${MAX_ANSWER_MS} ms`, variables);
    return { kind: 'silence', why: String(error instanceof Error ? (error.cause ?? error) : error) };
  }
  const answer = answerShape.safeParse(parse(body));
  if (!answer.success) {
    if (status >= 500) return { kind: 'silence', why: `status ${status}` };
    throw new Violation(`${name} must have a GraphQL answer`, { variables, status, body });
  }
  const { data, errors } = answer.data;
  const [error] = errors;
  if (errors.some(({ extensions }) => extensions.code === 'UNAVAILABLE'))
    return { kind: 'silence', why: 'UNAVAILABLE' };
  if (error) return { kind: 'refusal', code: error.extensions.code, message: error.message };
  const read = shape.safeParse(data);
  if (!read.success)
    throw new Violation(`${name} must have an answer of the expected shape`, { variables, data });
  return { kind: 'answer', data: read.data };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
