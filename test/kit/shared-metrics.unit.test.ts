import Fastify from 'fastify';
import { registerOperations } from '../../src/kit/http/operations';
import type { Database } from '../../src/kit/cassandra/database';

test('all who ask for metrics at once, or soon after others, share one collection that began after they asked', async () => {
  const app = Fastify();
  let collected = 0;
  await registerOperations(app, {
    // Metrics need no database here.
    database: {} as Database,
    metrics: { contentType: 'text/plain', text: () => Promise.resolve(String(++collected)) },
  });
  const ask = async () => (await app.inject('/metrics')).body;
  expect(await ask()).toBe('1');
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  expect(Math.min(...answers.map(Number))).toBe(2);
  expect(collected).toBeLessThan(10);
  await app.close();
});
