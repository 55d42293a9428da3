import { connectNodes } from '../../src/kit/lists/connection';
import type { List, Source } from '../../src/kit/lists/list-parts';
import { mergeRuns } from '../../src/kit/lists/merge';
import { randomIntFrom } from '../support/random-int';

const numbers = { keyOf: (row: number) => row, compare: (a: number, b: number) => a - b };

test('rows are merged as sorting all of them does, and are certain up to the nearest end', () => {
  const random = randomIntFrom(37);
  for (let n = 0; n < 500; n++) {
    const limit = n % 3 === 0 ? Infinity : 1 + random(12);
    const runs = Array.from({ length: 2 + random(4) }, () => {
      const rows = [...new Set(Array.from({ length: random(8) }, () => random(30)))];
      rows.sort((a, b) => a - b);
      return { rows, end: random(3) === 0 ? null : (rows.at(-1) ?? random(30)) };
    });
    const all = [...new Set(runs.flatMap(({ rows }) => rows))].sort((a, b) => a - b).slice(0, limit);
    const ends = runs.flatMap(({ end }) => end ?? []);
    const end = ends.length === 0 ? null : Math.min(...ends);
    expect(mergeRuns(runs, numbers, limit)).toEqual({
      certain: all.filter((row) => end === null || row <= end),
      ahead: all.filter((row) => end !== null && row > end),
      end,
    });
  }
});

test('of equal rows, that of the first source is taken', () => {
  const byKey = { keyOf: ([key]: readonly [number, string]) => key, compare: numbers.compare };
  const run = (...rows: (readonly [number, string])[]) => ({ rows, end: null });
  const { certain } = mergeRuns([run([1, 'a'], [3, 'a']), run([1, 'b'], [2, 'b']), run([3, 'c'])], byKey);
  expect(certain).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'a'],
  ]);
});

/** A list of the ids from 9 to 1 that logs the reads of its source, and finds the first slice with its part. */
function handedOn(reads: number[]): List<string> {
  const rowsAfter = (after: readonly unknown[] | undefined, limit: number) => {
    const ids = ['9', '8', '7', '6', '5', '4', '3', '2', '1'].filter((id) => !after || id < String(after[0]));
    return { rows: ids.slice(0, limit), end: ids.length < limit ? null : [ids[limit - 1] ?? ''] };
  };
  const source: Source<string> = {
    read({ after, limit }) {
      reads.push(limit);
      return Promise.resolve(rowsAfter(after, limit));
    },
  };
  return {
    name: 'handed on',
    position: (id) => [id],
    parts: ({ from, limit }) =>
      Promise.resolve([
        {
          sources: [source],
          start: from ?? { bucket: 0, key: [] },
          begun: [rowsAfter(from?.key, limit + 1)],
        },
      ]),
  };
}

test('a slice that was read to find the parts of a page is not read again', async () => {
  const reads: number[] = [];
  const page = await connectNodes(handedOn(reads), { first: 4 });
  expect([page.nodes, page.pageInfo.hasNextPage, reads]).toEqual([['9', '8', '7', '6'], true, []]);
  const next = await connectNodes(handedOn(reads), { first: 9, after: page.pageInfo.endCursor });
  expect([next.nodes, next.pageInfo.hasNextPage, reads]).toEqual([['5', '4', '3', '2', '1'], false, []]);
});

test('a page goes on after that slice where some of its rows are hidden', async () => {
  const reads: number[] = [];
  const page = await connectNodes({ ...handedOn(reads), shown: (id) => Number(id) < 8 }, { first: 3 });
  expect(page.nodes).toEqual(['7', '6', '5']);
  expect(reads).toHaveLength(1);
});
