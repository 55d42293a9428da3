import { writeFeatures } from '../../src/app';
import { MIN_ID } from '../../src/kit/base/ids';
import { decideDeletion } from '../../src/write/account/request-deletion';
import { sweepHandler, type SweepProgress } from '../../src/write/account/sweep';
import { startHarness } from '../support/harness';
import { taskRun } from '../support/task-run';

test('a sweep completes no deletion that began again, and came to its end, while it ran', async () => {
  const server = await startHarness();
  const { database } = server;
  const now = new Date();
  const asked = { requestedAt: now, startsAt: now, issuer: null, subject: null };
  const removed = await decideDeletion(database, '7', () => ({ ...asked, state: 'removed' }));
  /** Runs the end of a sweep, for which nothing is left to look through. */
  const endSweep = (begun: Date | undefined) => {
    const progress: SweepProgress = {
      ...{ table: 1000, token: MIN_ID, counts: { 7: {} } },
      begun: { 7: Number(begun) },
    };
    return sweepHandler(server.writeServices, writeFeatures)(
      {},
      taskRun({ checkpoint: JSON.stringify(progress) }),
    );
  };
  await decideDeletion(database, '7', (before) => before && { ...before, state: 'started' });
  const again = await decideDeletion(database, '7', (before) => before && { ...before, state: 'removed' });
  await endSweep(removed?.changedAt);
  expect(await decideDeletion(database, '7', () => null)).toMatchObject({ state: 'removed' });
  await endSweep(again?.changedAt);
  expect(await decideDeletion(database, '7', () => null)).toBeNull();
});
