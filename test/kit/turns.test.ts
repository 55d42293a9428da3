import { createTurns } from '../../src/kit/graphql/turns';

/** Keeps the processor busy for some milliseconds. */
function work(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}

test('work has its turn in the order in which it asked, and others have as much time in between', async () => {
  const turns = createTurns();
  const order: string[] = [];
  let idle = 0;
  const measuring = setInterval(() => idle++, 1);
  await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => {
      await turns.wait();
      order.push(`${name} after ${idle > 0 ? 'others' : 'nobody'}`);
      idle = 0;
      work(20);
    }),
  );
  clearInterval(measuring);
  expect(order).toEqual(['a after nobody', 'b after others', 'c after others', 'd after others']);
});

test('who asks when too many wait is refused, and may come back', async () => {
  const turns = createTurns();
  const waits = Array.from({ length: 201 }, () => turns.wait());
  await expect(turns.wait()).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE', retryAfter: 2 } });
  await Promise.all(waits);
  await expect(turns.wait()).resolves.toBeUndefined();
});
