import { setImmediate as turn } from 'node:timers/promises';
import { waitToParse } from '../../src/kit/base/per-turn';

test.each([
  { texts: 12, length: 1024 ** 2, atOnce: 1 },
  { texts: 12, length: 50_000, atOnce: 2 },
  { texts: 3, length: 5_000_000, atOnce: 1 },
  { texts: 100, length: 1000, atOnce: 100 },
])('of $texts texts of $length characters, $atOnce are parsed in a turn', async (kind) => {
  let parsed = 0;
  const all = Array.from({ length: kind.texts }, async () => {
    await waitToParse(kind.length);
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
