import { describeDifference, keepVerdict, verdictOn, type NodeClock } from '../../src/kit/cassandra/clock';

/** Nodes whose clocks are ahead by some milliseconds. */
const nodes = (...ahead: number[]) =>
  new Map(ahead.map((offsetMs, index): [string, NodeClock] => [`n${index}`, { offsetMs, uncertainMs: 1 }]));

test.each<[string, number[], number, boolean]>([
  ['of one node, 5 s behind', [0], -5000, true],
  ['of one node, more than 5 s behind', [0], -5002, false],
  ['of one node, 5 s ahead', [0], 5000, true],
  ['of one node, more than 5 s ahead', [0], 5002, false],
  ['of three nodes, one of which is wrong', [0, 3, 150_000], 10, true],
  ['of three nodes, two of which differ', [0, 150_000, -90_000], 10, false],
  ['of three nodes, of which one is wrong as this machine is', [0, 3, 150_000], 150_000, false],
  ['of two nodes, one of which is wrong', [0, 150_000], 0, false],
  ['of four nodes that disagree in halves', [0, 0, 60_000, 60_000], 0, false],
])('a machine may write only if its clock is right by more than half: %s', (_, ahead, own, isRight) => {
  expect(verdictOn(nodes(...ahead), own).isRight).toBe(isRight);
});

test('a slow answer is no proof that a clock is wrong', () => {
  const slow = new Map([['n', { offsetMs: 0, uncertainMs: 2000 }]]);
  expect([6999, 7001].map((own) => verdictOn(slow, own).isRight)).toEqual([true, false]);
});

test('nodes whose clocks are wrong are named, and the middle one says how wrong this machine is', () => {
  expect(verdictOn(nodes(0, 3, 150_000), 10)).toEqual({ isRight: true, aheadMs: 7, wrongNodes: ['n2'] });
  expect(describeDifference(verdictOn(nodes(0, 3, 4), -150_000).aheadMs)).toContain('150.0 s behind');
  expect(describeDifference(8000)).toContain('8.0 s ahead of');
});

test('a verdict holds only while both clocks of this machine move on together', () => {
  const judged: number[] = [];
  const verdict = keepVerdict((offsetMs) => {
    judged.push(offsetMs);
    return verdictOn(nodes(0), offsetMs);
  });
  const isRight = (monotonic: number, wall: number) => verdict({ monotonic, wall }).isRight;
  expect([isRight(1000, 1000), isRight(1001, 1009), isRight(1400, 1395)]).toEqual([true, true, true]);
  expect(judged).toEqual([0]);
  // It was suspended for a minute: one clock stood still. Then somebody sets the other one.
  expect([isRight(1401, 61_395), isRight(1402, 61_396), isRight(1403, 1403)]).toEqual([false, false, true]);
  expect(judged).toEqual([0, 59_994, 0]);
  // Half a second later the nodes may have said something else.
  isRight(1950, 1950);
  expect(judged).toHaveLength(4);
});
