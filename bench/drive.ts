import { Agent, request } from 'node:http';
import { CONNECTIONS, percentile, round, type Line } from './measure';

/** A request of a load. */
export interface Ask {
  /** The kind under which its time is recorded. */
  readonly kind: string;
  readonly path: string;
  /** The port, if it is not that of the whole load. */
  readonly port?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST; without one the request is a GET. */
  readonly body?: string;
}

/** The result of a load. */
export interface Driven {
  readonly seconds: number;
  /** Milliseconds from sending to the end of the answer, by kind. */
  readonly times: ReadonlyMap<string, readonly number[]>;
}

/**
 * Sends the requests of `next` over several connections, one after another on each, until time or requests run out. The first
 * that fails ends the load with its error, unless `onError` takes the errors; the time of a request that failed is not recorded.
 */
export async function drive(
  port: number,
  seconds: number,
  next: () => Ask | null,
  connections = CONNECTIONS,
  onError?: (error: unknown) => void,
): Promise<Driven> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times = new Map<string, number[]>();
  const started = performance.now();
  const until = started + seconds * 1000;
  const connection = async () => {
    while (performance.now() < until) {
      const ask = next();
      if (ask === null) return;
      const sent = performance.now();
      try {
        await send(agent, ask.port ?? port, ask);
      } catch (error) {
        if (onError === undefined) throw error;
        onError(error);
        continue;
      }
      const taken = performance.now() - sent;
      const known = times.get(ask.kind);
      if (known) known.push(taken);
      else times.set(ask.kind, [taken]);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, connection));
  } finally {
    agent.destroy();
  }
  return { seconds: (performance.now() - started) / 1000, times };
}

function send(agent: Agent, port: number, { path, headers, body }: Ask): Promise<void> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200 && !hasErrors(text)) resolve();
        else reject(new Error(`${path} must be answered, but got: ${response.statusCode ?? ''} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Whether a GraphQL answer has errors. */
export function hasErrors(answer: string): boolean {
  return /^\{"errors"|,"errors":\[/.test(answer);
}

/** The rate and the percentiles of the times of one kind, or of all requests, over several loads. */
export function lineOf(loads: readonly Driven[], kind?: string): Line {
  const times = loads.flatMap((load) =>
    kind === undefined ? [...load.times.values()].flat() : (load.times.get(kind) ?? []),
  );
  const seconds = loads.reduce((sum, load) => sum + load.seconds, 0);
  return {
    '/s': Math.round(times.length / seconds),
    'p50 ms': round(percentile(times, 0.5)),
    'p95 ms': round(percentile(times, 0.95)),
    'p99 ms': round(percentile(times, 0.99)),
  };
}
