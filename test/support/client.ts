import fc from 'fast-check';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pino from 'pino';
import { catalogue } from '../../src/kit/base/errors';
import { createServer } from '../../src/server';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { authorization, follow, person, startHarness, tweet } from './harness';
import { isLong } from './long';
import { act } from './mutations';

/** What a client must never see. */
const INTERNALS =
  /node_modules|\.[jt]s:\d+|\bat .*\(.*:\d+:\d+\)|Maximum call stack|TypeError|RangeError|ResponseError|is not a function|Cannot read|undefined|\[object Object\]|\bSELECT\b.*\bFROM\b|allow filtering|cassandra/i;

/** An answer that is right in form. */
interface Reply {
  readonly status: number;
  readonly data?: unknown;
  readonly codes: readonly string[];
}

/** A server over a small network that is sent whatever there is; each answer is checked. */
export interface Client {
  readonly send: (request: InjectOptions) => Promise<Reply>;
  /** Sends a body, given as text or as what becomes JSON, as a service unless another is named; `null`: as nobody. */
  readonly post: (body: unknown, who?: string | null) => Promise<Reply>;
  readonly close: () => Promise<void>;
}

export async function startClient(): Promise<Client> {
  const server = await startHarness();
  const logged: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  const app = await createServer(server.writeServices, server.config, logger, { embedded: true });
  const service = await authorization('service');
  await server.store([
    person('1', 'Ada'),
    person('2', 'bo'),
    person('3', 'cy'),
    ...['2', '3'].flatMap((userId, n) => [follow(userId, '1', n), follow('1', userId, n)]),
    ...Array.from({ length: 12 }, (_, n) =>
      tweet(String(100 + n), String(1 + (n % 3)), (n % 4) * 20, n > 6 ? { inReplyToId: '100' } : {}),
    ),
  ]);
  for (const who of ['1', '2'])
    for (const id of ['100', '104']) await act(server, who, 'likeTweet', { id: encodeNodeId('Tweet', id) });
  return {
    send: (request) =>
      send(app, logged, { ...request, headers: { authorization: service, ...request.headers } }),
    async post(body, who = 'service') {
      const payload = typeof body === 'string' ? body : JSON.stringify(body);
      const headers = {
        'content-type': 'application/json',
        ...(who !== null && { authorization: await authorization(who) }),
      };
      return send(app, logged, { method: 'POST', headers, payload });
    },
    async close() {
      await app.close();
      await server.close();
    },
  };
}

/** Sends a request; throws unless the answer is right in form: what it may hold and what it may not. */
async function send(app: FastifyInstance, logged: string[], request: InjectOptions): Promise<Reply> {
  logged.length = 0;
  const { statusCode: status, body } = await app.inject({ url: '/graphql', ...request });
  const wrong = (why: string) =>
    new Error(`${why}: ${String(status)} ${body.slice(0, 1000)}\n${logged.join('\n')}`);
  if (status < 200 || status >= 500 || (status >= 300 && status < 400)) throw wrong('status');
  let answer: { data?: unknown; errors?: { message: string; extensions?: { code?: string } }[] };
  try {
    answer = JSON.parse(body) as typeof answer;
  } catch {
    throw wrong('not JSON');
  }
  const errors = answer.errors ?? [];
  if (answer.data === undefined && errors.length === 0) throw wrong('neither data nor errors');
  for (const { message, extensions } of errors) {
    const code = extensions?.code;
    if (code === undefined || !(code in catalogue) || code === 'INTERNAL_SERVER_ERROR') throw wrong('code');
    if (typeof message !== 'string' || INTERNALS.test(message)) throw wrong('message');
  }
  if (logged.length > 0) throw wrong('logged');
  return {
    status,
    data: answer.data,
    codes: errors.map(({ extensions }) => extensions?.code ?? ''),
  };
}

/** The part of all cases that the suite tries; `npm run test:long` tries them all. */
export const TRIED = isLong ? 1 : 1 / 4;

/** Holds a property against so many cases, or the part of them that is tried. */
export function check<T>(
  cases: number,
  arbitrary: fc.Arbitrary<T>,
  property: (value: T) => Promise<unknown>,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(arbitrary, async (value) => {
      await property(value);
    }),
    {
      numRuns: Math.ceil(TRIED * cases),
      plugins: [fc.interruptAfterTimeLimit(TRIED * 400_000, { failOnInterrupt: true })],
    },
  );
}
