import { MAX_RUNS_PER_SECOND, pauseAmong } from '../../src/kit/base/pace';

test('few servers wait the least pause; many wait so long that together they begin no more runs than a partition takes', () => {
  expect([1, 2, 10].map((servers) => pauseAmong(servers, 100))).toEqual([100, 100, 100]);
  for (const servers of [11, 100, 1000])
    expect((servers * 1000) / pauseAmong(servers, 100)).toBeCloseTo(MAX_RUNS_PER_SECOND);
});
