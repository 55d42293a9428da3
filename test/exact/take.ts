import { setTimeout as sleep } from 'node:timers/promises';
import { setFollowing } from '../../src/write/follow/set-following';
import { takeLease } from '../../src/kit/writes/lease';
import { RANKINGS, takeRankings } from '../../src/jobs/rankings/take-rankings';
import type { WriteServices } from '../../src/write/write-services';
import { randomFor } from '../crash/random';
import type { Crowd } from './crowd';
import type { Taken } from './examine-rankings';

/** Takes rankings `times` times, with `changes` follows and unfollows before each but the first. */
export async function takeSome(
  writeServices: WriteServices,
  crowd: Crowd,
  { times, changes, seed }: { readonly times: number; readonly changes: number; readonly seed: number },
): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (let time = 0; time < times; time++) {
    for (let n = 0; time > 0 && n < changes; n++) {
      const { follower, followee, follows } = crowd.change(randomFor(seed, `change ${time}`, n));
      const [from, to] = [crowd.idOf(follower), crowd.idOf(followee)];
      if (from === null || to === null || from === to) continue;
      await setFollowing(writeServices, from, to, follows);
      crowd.set(follower, followee, follows);
    }
    await writeServices.outbox.idle();
    let lease = await takeLease(writeServices.database, RANKINGS);
    for (; lease === null; lease = await takeLease(writeServices.database, RANKINGS)) await sleep(100);
    const { takenAt } = await takeRankings({ database: writeServices.database }, lease);
    await lease.release();
    taken.push({ at: takenAt, ...crowd.ranked() });
  }
  return taken;
}
