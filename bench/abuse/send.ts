import { request, type Agent } from 'node:http';

/** How many bytes of an answer are kept. */
const MAX_TEXT_BYTES = 1_000_000;

/** A request to a server on this machine. */
export interface Call {
  readonly port: number;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST; without one the request is a GET. */
  readonly body?: string | Buffer;
  readonly agent?: Agent;
  /** Ends the request without waiting for its answer. */
  readonly signal?: AbortSignal;
}

/** The result of a request. */
export interface Outcome {
  /** The HTTP status; 0 if the connection broke before the answer was complete. */
  readonly status: number;
  /** The code of the first GraphQL error; null if there is none. */
  readonly code: string | null;
  readonly bytes: number;
  /** The answer; of one longer than 1 MB only the beginning and the end. */
  readonly text: string;
  readonly milliseconds: number;
}

/** Sends a request and reads the whole answer. Resolves even if the connection breaks. */
export function send({ port, path = '/graphql', headers, body, agent, signal }: Call): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, text: string, bytes: number) => {
      const code = /"code":"(\w+)"/.exec(text)?.[1] ?? null;
      resolve({ status, code, bytes, text, milliseconds: performance.now() - started });
    };
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(agent && { agent }),
        ...(signal && { signal }),
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('close', () => {
          const whole = Buffer.concat(parts);
          const status = response.complete ? (response.statusCode ?? 0) : 0;
          // Errors are at the end, or come instead of data, so the middle is not needed.
          const text =
            whole.length <= MAX_TEXT_BYTES
              ? whole.toString()
              : `${whole.toString('utf8', 0, MAX_TEXT_BYTES / 2)}${whole.subarray(-MAX_TEXT_BYTES / 2).toString()}`;
          end(status, text, whole.length);
        });
      },
    );
    sent.on('error', () => {
      end(0, '', 0);
    });
    sent.end(body);
  });
}

/** The body of a GraphQL request. */
export function graphql(query: string, variables: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ query, variables });
}
