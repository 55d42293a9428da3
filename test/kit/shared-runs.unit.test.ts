import { setImmediate as nextTurn } from 'node:timers/promises';
import { perTurn } from '../../src/kit/base/per-turn';
import { isRunning, runShared } from '../../src/kit/base/shared-runs';

/** Work whose runs end when they are told to. */
function steps() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => void ends.push(resolve));
  const next = async () => {
    ends.at(-1)?.();
    await nextTurn();
  };
  return { work, next, runs: () => ends.length };
}

test('calls of one turn share a run, and calls during that run share the next one', async () => {
  const { work, next, runs } = steps();
  const owner = {};
  const done: string[] = [];
  const call = (...names: string[]) => {
    for (const name of names) void runShared(owner, 'key', null, work).then(() => done.push(name));
  };
  call('first', 'second');
  await nextTurn();
  expect(runs()).toBe(1);
  call('third');
  await nextTurn();
  call('fourth');
  await next();
  expect([runs(), done]).toEqual([2, ['first', 'second']]);
  call('fifth');
  await next();
  expect([runs(), done]).toEqual([3, ['first', 'second', 'third', 'fourth']]);
  await next();
  expect(done).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
  call('sixth');
  await nextTurn();
  expect(runs()).toBe(4);
});

test('calls with other keys or of other owners share nothing', async () => {
  const { work, runs } = steps();
  const owner = {};
  void runShared(owner, 'one', null, work);
  void runShared(owner, 'other', null, work);
  void runShared({}, 'one', null, work);
  await nextTurn();
  expect(runs()).toBe(3);
});

test('a run that fails fails the calls that share it, and no others', async () => {
  const owner = {};
  const fail = () => Promise.reject(new Error('failed'));
  const failing = [runShared(owner, 'key', null, fail), runShared(owner, 'key', null, fail)].map((run) =>
    expect(run).rejects.toThrow('failed'),
  );
  await nextTurn();
  const next = runShared(owner, 'key', null, () => Promise.resolve());
  await Promise.all(failing);
  await next;
});

test('a run is given the items of its calls, in their order', async () => {
  const owner = {};
  const runs: (readonly string[])[] = [];
  const call = (item: string) =>
    runShared(owner, 'key', item, async (items: readonly string[]) => {
      runs.push(items);
      await nextTurn();
    });
  const first = [call('first'), call('second')];
  await nextTurn();
  await Promise.all([...first, call('third'), call('fourth')]);
  expect(runs).toEqual([
    ['first', 'second'],
    ['third', 'fourth'],
  ]);
});

test('a key is running until the last run has ended', async () => {
  const owner = {};
  const calls = runShared(owner, 'key', null, () => nextTurn());
  expect([isRunning(owner, 'key'), isRunning(owner, 'other'), isRunning({}, 'key')]).toEqual([
    true,
    false,
    false,
  ]);
  await calls;
  expect(isRunning(owner, 'key')).toBe(false);
});

test('runs with a pause share the calls that come soon after a run has begun', async () => {
  const owner = {};
  const done: string[] = [];
  const call = async (name: string, of = owner) => {
    await runShared(of, 'key', null, () => Promise.resolve(), 100);
    done.push(name);
  };
  await call('first');
  const [second, third] = [call('second'), nextTurn().then(() => call('third'))];
  await call('other owner', {});
  expect(done).toEqual(['first', 'other owner']);
  await second;
  await nextTurn();
  expect(done).toEqual(['first', 'other owner', 'second', 'third']);
  await third;
});

test('a value is that of all calls of one turn of the event loop, and is told when the turn is over', async () => {
  const ended: number[] = [];
  let count = 0;
  const numberOfTurn = perTurn(
    () => ++count,
    (value) => ended.push(value),
  );
  expect([numberOfTurn(), await Promise.resolve().then(numberOfTurn)]).toEqual([1, 1]);
  expect(ended).toEqual([]);
  await nextTurn();
  expect([ended, numberOfTurn()]).toEqual([[1], 2]);
});
