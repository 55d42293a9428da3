import { runShared } from '../../src/kit/work/shared-runs';

/** Work whose runs end when they are told to. */
function steps() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => void ends.push(resolve));
  const next = async () => {
    ends.at(-1)?.();
    for (let n = 0; n < 10; n++) await Promise.resolve();
  };
  return { work, next, runs: () => ends.length };
}

test('calls during a run share the next one, which begins when that has ended', async () => {
  const { work, next, runs } = steps();
  const owner = {};
  const done: string[] = [];
  for (const name of ['first', 'second', 'third'])
    void runShared(owner, 'key', work).then(() => done.push(name));
  expect(runs()).toBe(1);
  await next();
  expect([runs(), done]).toEqual([2, ['first']]);
  void runShared(owner, 'key', work).then(() => done.push('fourth'));
  await next();
  expect([runs(), done]).toEqual([3, ['first', 'second', 'third']]);
  await next();
  expect(done).toEqual(['first', 'second', 'third', 'fourth']);
  void runShared(owner, 'key', work);
  expect(runs()).toBe(4);
});

test('calls with other keys or of other owners share nothing', () => {
  const { work, runs } = steps();
  const owner = {};
  void runShared(owner, 'one', work);
  void runShared(owner, 'other', work);
  void runShared({}, 'one', work);
  expect(runs()).toBe(3);
});

test('a run that fails fails the calls that share it, and no others', async () => {
  const owner = {};
  const failing = runShared(owner, 'key', () => Promise.reject(new Error('failed')));
  const next = runShared(owner, 'key', () => Promise.resolve());
  await expect(failing).rejects.toThrow('failed');
  await next;
});
