import { compareDated } from './compare-dated';
import { Differences, describeDifference } from './differences';

function foundBy(work: (differences: Differences) => void): string[] {
  const differences = new Differences();
  work(differences);
  return differences.found.map(describeDifference);
}

test('equal lists have no differences', () => {
  const found = foundBy((differences) => {
    differences.sameList('list', ['b', 'a'], ['b', 'a']);
    differences.sameSet('set', ['b', 'a'], ['a', 'b']);
    differences.same('counts', { n: 1 }, { n: 1 });
  });
  expect(found).toEqual([]);
});

test('missing, surplus and duplicate items and a wrong order are reported', () => {
  const found = foundBy((differences) => {
    differences.sameList('shorter', ['a'], ['a', 'b']);
    differences.sameList('longer', ['a', 'b', 'c'], ['a', 'b']);
    differences.sameList('double', ['a', 'b', 'a'], ['a', 'b']);
    differences.sameList('turned', ['b', 'a'], ['a', 'b']);
    differences.same('counts', null, { n: 1 });
  });
  expect(found).toEqual([
    'shorter, of 2: expected ["b"], got []',
    'longer, of 2: expected [], got ["c"]',
    'double, of 2: expected [], got ["a"]',
    'turned, the order: expected ["a","b"], got ["b","a"]',
    'counts: expected {"n":1}, got null',
  ]);
});

test('a dated list is sorted newest first, then by id, and each time is checked', () => {
  const noon = Date.UTC(2026, 0, 1, 12);
  const edge = (userId: string, seconds: number) => ({
    at: new Date(noon + seconds * 1000).toISOString(),
    node: { username: `user ${userId}`, userId },
  });
  const within = (from: number, to: number) => () => ({ from: noon + from * 1000, to: noon + to * 1000 });
  const right = [edge('3', 2), edge('10', 1), edge('9', 1)];
  expect(
    foundBy((differences) => {
      compareDated(differences, 'list', right, within(1, 2));
      compareDated(differences, 'list', right, () => undefined);
    }),
  ).toEqual([]);
  expect(
    foundBy((differences) => {
      compareDated(differences, 'turned', [edge('9', 1), edge('10', 1)], within(1, 2));
      compareDated(differences, 'early', [edge('9', 0)], within(1, 2));
      compareDated(differences, 'late', [edge('9', 3)], within(1, 2));
    }),
  ).toEqual([
    expect.stringMatching('turned, newest first'),
    expect.stringMatching('early, since when user 9'),
    expect.stringMatching('late, since when user 9'),
  ]);
});
