import pino from 'pino';
import { openTracing } from '../../src/kit/http/tracing';

test('a collector that is gone is told, and keeps no server from ending', async () => {
  const logged: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const tracing = await openTracing(
    // Nothing listens on this port.
    { url: 'http://127.0.0.1:1/v1/traces', serviceName: 'birds', sampler: 'always_on', ratio: 1 },
    logger,
  );
  tracing?.begin('POST', {}).trace?.end({ status: 200, operation: null, codes: [] });
  await tracing?.close();
  expect(logged.join('')).toContain('traces: ');
});
