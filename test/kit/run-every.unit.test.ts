import { setImmediate as nextTurn } from 'node:timers/promises';
import { runEvery } from '../../src/kit/base/run-every';

test('runs follow each other, also after one that fails, and the last one has ended when it is stopped', async () => {
  const log: string[] = [];
  const third = Promise.withResolvers<null>();
  let runs = 0;
  const work = async (stopping: AbortSignal) => {
    const run = ++runs;
    log.push(`begin ${run}`);
    await nextTurn();
    if (run === 2) throw new Error('two');
    if (run === 3) {
      third.resolve(null);
      while (!stopping.aborted) await nextTurn();
      await nextTurn();
    }
    log.push(`end ${run}`);
    if (run === 3) throw new Error('stopped');
  };
  const { stop } = runEvery(1, work, (error) => log.push(String(error)));
  await third.promise;
  await stop();
  expect(log).toEqual(['begin 1', 'end 1', 'begin 2', 'Error: two', 'begin 3', 'end 3']);
});

test('an interval may change from run to run, and what is stopped between two runs ends at once', async () => {
  const intervals = [1, 2, 3_600_000];
  const last = Promise.withResolvers<null>();
  let runs = 0;
  const next = () => intervals[runs - 1] ?? 0;
  const work = () => {
    if (++runs === intervals.length) last.resolve(null);
    return Promise.resolve();
  };
  const { stop } = runEvery(next, work, () => undefined);
  await last.promise;
  await nextTurn();
  await stop();
  expect(runs).toBe(3);
});
