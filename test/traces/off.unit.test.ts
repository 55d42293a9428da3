import pino from 'pino';
import { openTracing } from '../../src/kit/http/tracing';

const logger = pino({ level: 'silent' });

jest.mock('@opentelemetry/sdk-trace', () => {
  throw new Error('OpenTelemetry was loaded.');
});

test('OpenTelemetry is loaded only if traces are sent somewhere', async () => {
  expect(await openTracing(null, logger)).toBeNull();
  const settings = {
    url: 'http://127.0.0.1:1',
    serviceName: 'birds',
    sampler: 'always_on',
    ratio: 1,
  } as const;
  await expect(openTracing(settings, logger)).rejects.toThrow('OpenTelemetry was loaded.');
});
