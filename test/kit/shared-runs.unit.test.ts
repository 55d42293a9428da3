import { setImmediate as nextTurn } from 'node:timers/promises';
import { gathered } from '../../src/kit/work/gathered';
import { runShared } from '../../src/kit/work/shared-runs';

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
    for (const name of names) void runShared(owner, 'key', work).then(() => done.push(name));
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
  void runShared(owner, 'one', work);
  void runShared(owner, 'other', work);
  void runShared({}, 'one', work);
  await nextTurn();
  expect(runs()).toBe(3);
});

test('a run that fails fails the calls that share it, and no others', async () => {
  const owner = {};
  const fail = () => Promise.reject(new Error('failed'));
  const failing = [runShared(owner, 'key', fail), runShared(owner, 'key', fail)].map((run) =>
    expect(run).rejects.toThrow('failed'),
  );
  await nextTurn();
  const next = runShared(owner, 'key', () => Promise.resolve());
  await Promise.all(failing);
  await next;
});

test('gathers the calls that come soon after another one', async () => {
  const owner = {};
  const done: string[] = [];
  const call = async (name: string, of = owner) => {
    await gathered(of);
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
