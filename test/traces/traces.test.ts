import pino from 'pino';
import { readConfig } from '../../src/config';
import { createServer } from '../../src/server';
import { JWT_SECRET, person, startHarness, tweet, type Harness } from '../support/harness';
import { startCollector, valueOf, type SentSpan } from './collector';

const QUERY =
  'query Page { user(username: "ada") { tweets(first: 1) { nodes { content author { name } } } } }';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

let first: Harness;
let collector: Awaited<ReturnType<typeof startCollector>>;
beforeAll(async () => {
  first = await startHarness();
  await first.store([person('1', 'ada'), tweet('100', '1')]);
});
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

/** Sends a query to a server with these settings, and closes it, so that its spans are sent. */
async function ask(
  settings: NodeJS.ProcessEnv,
  headers: Readonly<Record<string, string>> = {},
  query = QUERY,
) {
  const server = await startHarness(settings, first);
  const answer = await server.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ query }),
  });
  await server.close();
  return answer;
}

const named = (name: string): SentSpan => {
  const span = collector.spans.find((one) => one.name === name);
  if (!span) throw new Error(`There must be a span ${name}, but there is none.`);
  return span;
};

test('a request continues the trace that it names, with spans for its phases and for each statement', async () => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: 'birds' };
  const { headers, statusCode } = await ask(settings, { traceparent: `00-${TRACE}-${SPAN}-01` });
  expect(statusCode).toBe(200);
  expect([...collector.services]).toEqual(['birds']);
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  const request = named('POST /graphql');
  expect(request.parentSpanId).toBe(SPAN);
  expect(headers['traceparent']).toBe(`00-${TRACE}-${request.spanId}-01`);
  expect(valueOf(request.attributes, 'graphql.operation.name')).toBe('Page');
  expect(Number(valueOf(request.attributes, 'http.response.status_code'))).toBe(200);
  for (const phase of ['prepare', 'execute']) expect(named(phase).parentSpanId).toBe(request.spanId);
  const page = named('tweets_by_author.page');
  expect(page.parentSpanId).toBe(named('execute').spanId);
  expect(Number(valueOf(page.attributes, 'murmuration.rows'))).toBe(1);
  for (const span of collector.spans)
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
});

test('the line of the log has the id of the trace', async () => {
  const lines: unknown[] = [];
  const { keyspace } = first.config.cassandra;
  const settings = {
    JWT_SECRET,
    CASSANDRA_KEYSPACE: keyspace,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  };
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const app = await createServer(first.writeServices, readConfig({ ...process.env, ...settings }), logger, {
    embedded: true,
  });
  await app.inject({ method: 'POST', url: '/graphql', payload: { query: QUERY } });
  await app.close();
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'graphql', operation: 'Page', trace: named('POST /graphql').traceId }),
  );
});

test('a request without a trace begins one', async () => {
  const { headers } = await ask({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.endpoint}/v1/traces` });
  const request = named('POST /graphql');
  expect(request.parentSpanId ?? '').toBe('');
  expect(headers['traceparent']).toBe(`00-${request.traceId}-${request.spanId}-01`);
});

test('a request whose document is wrong is traced until its answer', async () => {
  await ask({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, {}, '{ nothing }');
  expect(collector.spans.map(({ name }) => name).sort()).toEqual(['POST /graphql', 'prepare']);
});

test.each([
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, {}],
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, { traceparent: `00-${TRACE}-${SPAN}-01` }],
  [{}, { traceparent: `00-${TRACE}-${SPAN}-00` }],
])('what the sampler %j leaves out of %j is not sent, but named to the client', async (settings, headers) => {
  const answer = await ask({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...settings }, headers);
  expect(answer.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  expect(collector.spans).toEqual([]);
});

test.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])(
  'nothing is traced with %j',
  async (settings) => {
    const answer = await ask({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...settings });
    expect(answer.headers).not.toHaveProperty('traceparent');
    expect(collector.spans).toEqual([]);
  },
);
