import { deadlineExceeded } from '../../src/kit/base/errors';
import { createPreparationQueue } from '../../src/kit/graphql/preparation-queue';
import { openPass } from './passes';

/** A queue by which some work is done, and its keys in the order in which they had theirs. */
function setUp() {
  const queue = createPreparationQueue();
  const done: string[] = [];
  /** Waits for a turn, and does the work in it; tells whether it had one. */
  const ask = async (caller: string, key: string, pass = openPass()) => {
    const hasTurn = await queue.wait({ key, caller, pass, isDone: () => done.includes(key) });
    if (hasTurn) done.push(key);
    return hasTurn;
  };
  return { queue, done, ask };
}

/** Keeps the processor busy for some milliseconds. */
function work(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}

test('work has its turn in the order in which it asked, and others have as much time in between', async () => {
  const queue = createPreparationQueue();
  const order: string[] = [];
  let idle = 0;
  const measuring = setInterval(() => idle++, 1);
  await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (key) => {
      await queue.wait({ key, caller: 'ada', pass: openPass(), isDone: () => false });
      order.push(`${key} after ${idle > 0 ? 'others' : 'nobody'}`);
      idle = 0;
      work(20);
    }),
  );
  clearInterval(measuring);
  expect(order).toEqual(['a after nobody', 'b after others', 'c after others', 'd after others']);
});

test('callers have turns alternately, however much one of them asks for', async () => {
  const { done, ask } = setUp();
  const many = ['1', '2', '3', '4'].map((key) => ask('ada', key));
  await Promise.all([...many, ask('bo', 'small')]);
  expect(done).toEqual(['1', 'small', '2', '3', '4']);
});

test('what many ask for is done once, and a request whose turn it is has it for more', async () => {
  const { queue, done, ask } = setUp();
  expect(await Promise.all(['ada', 'bo', 'cy'].map((caller) => ask(caller, 'same')))).toEqual([
    true,
    false,
    false,
  ]);
  expect(done).toEqual(['same']);
  const pass = openPass();
  const next = (key: string) => queue.wait({ key, caller: 'ada', pass, isDone: () => false });
  const other = ask('ada', 'other');
  expect(await next('first')).toBe(true);
  expect(await next('second')).toBe(true);
  await other;
});

test('who is gone leaves its place, and those who waited for the same have their turn', async () => {
  const { done, ask } = setUp();
  const first = ask('ada', 'first');
  const gone = openPass();
  const left = ask('ada', 'same', gone);
  const followers = [ask('bo', 'same'), ask('cy', 'same')];
  gone.close(deadlineExceeded(1));
  await expect(left).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
  expect(await Promise.all(followers)).toEqual([true, false]);
  await first;
  expect(done.filter((key) => key === 'same')).toHaveLength(1);
});
