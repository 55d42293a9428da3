import { setImmediate as turn } from 'node:timers/promises';
import { waitToParse } from '../../src/kit/base/per-turn';

/** A request that does not end. */
const endless = { within: <T>(work: Promise<T>) => work };

test.each([
  { texts: 12, length: 1024 ** 2, atOnce: 1 },
  { texts: 12, length: 50_000, atOnce: 2 },
  { texts: 3, length: 5_000_000, atOnce: 1 },
  { texts: 100, length: 1000, atOnce: 100 },
])('of $texts texts of $length characters, $atOnce are parsed in a turn', async (kind) => {
  let parsed = 0;
  const all = Array.from({ length: kind.texts }, async () => {
    await waitToParse(kind.length, endless);
    parsed++;
  });
  // The first texts are parsed in this turn.
  await new Promise<void>((resolve) => {
    process.nextTick(resolve);
  });
  const ofTurns = [parsed];
  while (parsed < kind.texts) {
    const before = parsed;
    await turn();
    ofTurns.push(parsed - before);
  }
  await Promise.all(all);
  expect(Math.max(...ofTurns)).toBe(kind.atOnce);
});

test('a request with few texts does not wait for all of one that has many', async () => {
  let parsed = 0;
  const all = Array.from({ length: 200 }, async () => {
    await waitToParse(100_000, endless);
    parsed++;
  });
  const other = { within: <T>(work: Promise<T>) => work };
  for (let n = 0; n < 5; n++) await waitToParse(100_000, other);
  expect(parsed).toBeLessThanOrEqual(6);
  await Promise.all(all);
});

test('what waits is not done once its request has ended, and others go on at once', async () => {
  const ended = Promise.withResolvers<never>();
  const ending = { within: <T>(work: Promise<T>) => Promise.race([work, ended.promise]) };
  let parsed = 0;
  const all = Array.from({ length: 200 }, async () => {
    await waitToParse(100_000, ending);
    parsed++;
  });
  const settled = Promise.allSettled(all);
  await turn();
  ended.reject(new Error('it is too late'));
  const results = await settled;
  const before = parsed;
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(200 - before);
  expect(before).toBeLessThan(5);
  for (let n = 0; n < 5; n++) await waitToParse(100_000, endless);
  expect(parsed).toBe(before);
});
