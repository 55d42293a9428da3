import { z } from 'zod';
import { Violation } from './violation';

/** A GraphQL operation and what a good answer to it looks like. */
export interface Operation<T> {
  readonly name: string;
  readonly source: string;
  readonly data: z.ZodType<T>;
}

/** What a request came to. */
export type Outcome<T> =
  | { readonly kind: 'answer'; readonly data: T }
  | { readonly kind: 'refusal'; readonly code: string; readonly message: string }
  /** Nobody can say whether it was done. */
  | { readonly kind: 'silence'; readonly why: string };

/**
 * How long a server may take, in milliseconds. It is no time after which to try again: a request that is still under way
 * could take effect after whatever is done next, and no model could tell what must be.
 */
const PATIENCE = 60_000;

const answerShape = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }) })).default([]),
});

/** Sends an operation once. Throws a `Violation` for an answer that no server may give. */
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
      signal: AbortSignal.timeout(PATIENCE),
    });
    status = response.status;
    body = await response.text();
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new Violation(`${name} must be answered within ${PATIENCE} ms`, variables);
    return { kind: 'silence', why: String(error instanceof Error ? (error.cause ?? error) : error) };
  }
  const answer = answerShape.safeParse(parse(body));
  if (!answer.success) {
    if (status >= 500) return { kind: 'silence', why: `status ${status}` };
    throw new Violation(`${name} must be answered as GraphQL answers`, { variables, status, body });
  }
  const { data, errors } = answer.data;
  const [error] = errors;
  if (errors.some(({ extensions }) => extensions.code === 'UNAVAILABLE'))
    return { kind: 'silence', why: 'UNAVAILABLE' };
  if (error) return { kind: 'refusal', code: error.extensions.code, message: error.message };
  const read = shape.safeParse(data);
  if (!read.success) throw new Violation(`${name} must answer with its shape`, { variables, data });
  return { kind: 'answer', data: read.data };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
