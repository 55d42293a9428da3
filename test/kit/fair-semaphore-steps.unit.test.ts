import { Session } from 'node:inspector/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type * as rooms from '../../src/kit/base/fair-semaphore';

/** Runs work with rooms. Resolves to how often the part of their code ran that ran most often. */
async function mostRuns(work: (create: typeof rooms.createFairSemaphore) => Promise<void>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  // Loops are counted only in code that is compiled after that, so what V8 and the worker keep of another test is not used.
  setFlagsFromString('--no-compilation-cache');
  process.env['COMPILE_ANEW'] = 'yes';
  const { createFairSemaphore } = jest.requireActual<typeof rooms>('../../src/kit/base/fair-semaphore');
  delete process.env['COMPILE_ANEW'];
  await work(createFairSemaphore);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const files = result.filter(({ url }) => /kit\/base\/(fair-semaphore|queue)\.ts$/.test(url));
  const ranges = files.flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  return Math.max(...ranges.map(({ count }) => count));
}

test('with 20,000 tasks of one person in line, the one of another is next, and no step loops over all of them', async () => {
  const MANY = 20_000;
  const runs = await mostRuns(async (create) => {
    const lane = create(8, 4);
    for (let n = 0; n < MANY; n++) void lane.take({ person: 'ada' });
    let isIn = false;
    for (let n = 0; n < 5; n++) void lane.take({ person: `other ${n}` }).then(() => (isIn ||= n === 4));
    for (let n = 0; n < MANY; n++) void lane.takeTurns({ person: 'other 0' });
    lane.release({ person: 'other 0' });
    await nextTurn();
    expect([isIn, lane.free()]).toEqual([true, 0]);
    for (let n = 1; n < 5; n++) lane.release({ person: `other ${n}` });
    for (let n = 0; n < MANY; n++) lane.release({ person: 'ada' });
    expect([lane.isEmpty(), lane.free(), lane.isWaitedFor()]).toEqual([true, 8, false]);
  });
  expect(runs).toBeGreaterThan(MANY);
  expect(runs).toBeLessThan(20 * MANY);
});
