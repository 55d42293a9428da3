import { chooseTarget, type Mode } from '../src/write/timeline/fan-out-mode';

const LIMIT = 100;

test('a mode changes while versions are left, and ends as one that is right for any number of followers', () => {
  let mode: Mode = { mode: 'push', version: 0, isShed: false, pulledAt: null };
  let changes = 0;
  for (let turn = 0; turn < 3000; turn++) {
    // The number of followers crosses both limits again and again.
    const to = chooseTarget(mode, turn % 2 === 0 ? 2 * LIMIT : 0, LIMIT);
    if (to === null) continue;
    changes++;
    mode = { ...mode, mode: to === 'toPull' ? 'pull' : 'push', version: mode.version + 1 };
  }
  // A version more would not fit into the write times of pulled authors.
  expect([changes, mode.version, mode.mode]).toEqual([997, 997, 'pull']);
  for (const followers of [0, LIMIT, 10 * LIMIT]) expect(chooseTarget(mode, followers, LIMIT)).toBeNull();
});
