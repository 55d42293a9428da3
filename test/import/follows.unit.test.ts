import { follows } from '../../src/import/formats/follows';
import { readAll, recordsIn, rejectsIn } from './read';

const follow = (follower: string, followee: string): object => ({
  kind: 'follow',
  follower: { userId: follower },
  followee: { userId: followee },
});

describe('the edge list', () => {
  test('gives a follow for each edge, whatever separates the ids', async () => {
    const parsed = await readAll(follows, '# nodes: 3\n1 2\n2\t3\r\n\n 3   1 \n');
    expect(recordsIn(parsed)).toEqual([follow('1', '2'), follow('2', '3'), follow('3', '1')]);
    expect(parsed.map((row) => row.line)).toEqual([2, 3, 5]);
  });

  test('leaves out how many rows, columns and edges a file of Matrix Market has', async () => {
    const head = '%%MatrixMarket matrix coordinate pattern general\n% a comment\n';
    for (const sizes of ['10 12 2\n', '']) {
      const parsed = await readAll(follows, `${head}${sizes}1 2\n3 4\n`, 7);
      expect(recordsIn(parsed)).toEqual([follow('1', '2'), follow('3', '4')]);
      expect(parsed).toHaveLength(2);
    }
  });

  test('leaves a weight out', async () => {
    expect(recordsIn(await readAll(follows, '1 2 7\n3 4 0.5'))).toEqual([follow('1', '2'), follow('3', '4')]);
  });

  test.each([
    ['some of which have a weight', '1 2\n3 4 0.5\n5 6\n7 8'],
    ['of words', '1,2,friend\n3,4,friend\n5,6,best friend\n7,8'],
    ['that are mostly empty', '1,2,,\n3,4,x,\n5,6,3,2020\n7,8,,'],
    ['as Python prints them', "1 2 {}\n3 4 {'weight': 3, 'since': 2020}\n5 6 {}\n7 8 {}"],
  ])('takes columns %s', async (_, text) => {
    const parsed = await readAll(follows, text);
    expect(recordsIn(parsed)).toEqual([
      follow('1', '2'),
      follow('3', '4'),
      follow('5', '6'),
      follow('7', '8'),
    ]);
  });

  test.each(['1 2 0.5\n3 4 0.53 5 0.5\n6 7 0.5', '1 2\n3 4 5 6\n7 8'])(
    'rejects two edges between which a line end is missing: %j',
    async (text) => {
      const parsed = await readAll(follows, text);
      expect(rejectsIn(parsed).map(({ line, rejected }) => [line, rejected])).toEqual([
        [2, 'more than twice as many columns as other rows: is a line end missing?'],
      ]);
    },
  );

  test('rejects an id that a float has rounded, and reads what it holds exactly', async () => {
    const parsed = await readAll(follows, '12.0 13.\n1600000000000000000.0 7\n7 "1600000000000000000.0"\n');
    expect(recordsIn(parsed)).toEqual([follow('12', '13')]);
    const rejected = 'ids must be from 0 to 2^63-1, and not rounded by a float';
    expect(rejectsIn(parsed)).toMatchObject([
      { line: 2, rejected },
      { line: 3, rejected },
    ]);
  });

  test('keeps ids of 63 bits to the digit', async () => {
    const parsed = await readAll(follows, '9223372036854775807 9223372036854775806\n007 8\n');
    expect(recordsIn(parsed)).toEqual([
      follow('9223372036854775807', '9223372036854775806'),
      follow('7', '8'),
    ]);
  });

  test('takes accounts that are counted from 0', async () => {
    const parsed = await readAll(follows, '0 1\n2 000\n');
    expect(recordsIn(parsed)).toEqual([follow('0', '1'), follow('2', '0')]);
  });

  test('rejects what is no edge, with its line and source', async () => {
    const parsed = await readAll(follows, '1 2\nzwölf 3\n9223372036854775808 1\n-1 1\n5 5\n4');
    expect(rejectsIn(parsed)).toEqual([
      { line: 2, rejected: 'not two ids', source: 'zwölf 3' },
      {
        line: 3,
        rejected: 'ids must be from 0 to 2^63-1, and not rounded by a float',
        source: '9223372036854775808 1',
      },
      { line: 4, rejected: 'not two ids', source: '-1 1' },
      { line: 5, rejected: 'a user cannot follow themselves', source: '5 5' },
      { line: 6, rejected: 'not two ids', source: '4' },
    ]);
    expect(recordsIn(parsed)).toHaveLength(1);
  });

  test('reads edges that are cut anywhere between chunks', async () => {
    const text = '\uFEFF11 22\r\n33 44\n55 66';
    const whole = await readAll(follows, text);
    expect(recordsIn(whole)).toHaveLength(3);
    for (let size = 1; size < text.length; size += 1)
      expect(await readAll(follows, text, size)).toEqual(whole);
  });
});
