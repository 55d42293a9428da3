import { rankHashtags } from '../../src/features/hashtag/rank-hashtags';
import { randomFrom } from '../../src/kit/base/random';

/** Hashtags with their uses: the steps by some of 40 authors. */
function hashtags(count: number): Map<string, Map<number, number>> {
  const random = randomFrom(7);
  return new Map(
    Array.from({ length: count }, (_, n) => [
      `tag${n}`,
      new Map(
        Array.from({ length: 1 + Math.floor(random() * 4) }, () => [
          Math.floor(random() * 40),
          Math.floor(random() * 4),
        ]),
      ),
    ]),
  );
}

test.each([0, 1, 99, 100, 101, 5000])('the best of %i hashtags are those of a sort of all', async (count) => {
  const stepsOf = hashtags(count);
  const isSampled = (author: number) => author < 30;
  const sorted = [...stepsOf]
    .map(([key, authors]) => {
      const steps = [...authors].filter(([author]) => isSampled(author)).map(([, step]) => step);
      const score = steps.reduce((sum, step) => sum + 2 ** -step, 0) / 0.75;
      return { key, count: Math.round(steps.length / 0.75), score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
  expect(await rankHashtags(stepsOf, isSampled, 0.75)).toEqual(sorted.slice(0, 100));
});

test('while many hashtags are compared, other work gets its turns', async () => {
  const stepsOf = hashtags(20_000);
  const uses = [...stepsOf.values()].reduce((sum, { size }) => sum + size, 0);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await rankHashtags(stepsOf, () => true, 1);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(Math.floor(uses / 10_000) - 1);
  expect(turns).toBeGreaterThan(1);
});
