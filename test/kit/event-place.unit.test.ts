import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFairSemaphore } from '../../src/kit/base/fair-semaphore';
import { unlimited, type RequestLimits } from '../../src/kit/rate-limits/rate-limits';
import { executeInPlace } from '../../src/kit/subscriptions/event-place';
import { openPass } from './passes';

/** Two places, and limits of a caller whose room is full until the test makes room. */
function setUp() {
  const places = createFairSemaphore(2);
  let makeRoom: () => void = () => undefined;
  const room = new Promise<void>((resolve) => (makeRoom = resolve));
  const limits = { ...unlimited, waitForRoom: () => room };
  return { places, limits, makeRoom };
}

test('an event that has the room of its caller begins in its place', async () => {
  const { places, limits } = setUp();
  const free = await executeInPlace(places, limits, async (own) => {
    await own.waitForRoom(0.1, openPass());
    return places.free();
  });
  expect([free, places.free()]).toEqual([1, 2]);
});

test('an event leaves its place while it waits for more room, and has it again when it goes on', async () => {
  const { places, limits, makeRoom } = setUp();
  const frees: number[] = [];
  const first = executeInPlace(places, limits, async (own) => {
    await own.waitForRoom(0.1, openPass());
    // Two fields reserve more at the same time.
    await Promise.all([own.waitForRoom(0.2, openPass()), own.waitForRoom(0.3, openPass())]);
    frees.push(places.free());
  });
  await nextTurn();
  expect(places.free()).toBe(2);
  const others = [1, 2].map(() => executeInPlace(places, unlimited, () => Promise.resolve('done')));
  expect(await Promise.all(others)).toEqual(['done', 'done']);
  makeRoom();
  await first;
  expect([frees, places.free(), places.isEmpty()]).toEqual([[1], 2, true]);
});

test('an event that ends while a field of it still waits for room gives its place back once', async () => {
  const { places, limits, makeRoom } = setUp();
  const begun: Promise<void>[] = [];
  const work = async (own: RequestLimits) => {
    await own.waitForRoom(0.1, openPass());
    begun.push(own.waitForRoom(0.2, openPass()));
    throw new Error('past its deadline');
  };
  await expect(executeInPlace(places, limits, work)).rejects.toThrow('past its deadline');
  expect([places.free(), places.isEmpty()]).toEqual([2, true]);
  makeRoom();
  await Promise.all(begun);
  expect([places.free(), places.isEmpty()]).toEqual([2, true]);
});
