import { answerOf, joinPages, pageReader, type PageOf } from '../../src/tools/testing/testing';

/** What a list may be asked. */
interface Asked {
  readonly first?: number;
  readonly after?: string;
  readonly last?: number;
  readonly before?: string;
}

/** A list of the numbers below 7, whose cursors are the numbers; `hear` changes what it is asked. */
function listOf(hear: (asked: Asked) => Asked = (asked) => asked) {
  return async (args: string): Promise<PageOf<number>> => {
    const named = args.replace(/(\w+):/g, '"$1":');
    const { first, after = '-1', last, before = '7' } = hear(JSON.parse(`{${named}}`) as Asked);
    const [start, end] = [Number(after) + 1, Number(before)];
    const size = first ?? last ?? 0;
    const from = first === undefined ? Math.max(start, end - size) : start;
    const to = Math.min(end, from + size);
    const edges = Array.from({ length: to - from }, (_, n) => from + n);
    const [startCursor, endCursor] = [String(from), String(to - 1)];
    return { edges, pageInfo: { hasNextPage: to < 7, hasPreviousPage: from > 0, startCursor, endCursor } };
  };
}

test.each(['first', 'last'] as const)(
  'pages by %s are joined in the order of the list',
  async (direction) => {
    for (const size of [1, 2, 3, 7, 100])
      expect(await joinPages(listOf(), direction, size)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  },
);

test.each([
  ['ignores after', 'first', ({ after: _, ...asked }: Asked) => asked],
  ['ignores before', 'last', ({ before: _, ...asked }: Asked) => asked],
  ['gives more than it is asked for', 'first', (asked: Asked) => ({ ...asked, first: 3 })],
  [
    'turns back',
    'first',
    ({ after = '-1', ...asked }: Asked) => ({ ...asked, after: after === '3' ? '1' : after }),
  ],
] as const)('a list that %s is told', async (_, direction, hear) => {
  await expect(joinPages(listOf(hear), direction, 2)).rejects.toThrow(/^A page must/);
});

test('an answer with errors is no page', async () => {
  const ask = (body: object) => async () => answerOf(200, JSON.stringify(body));
  const page = (body: object) => pageReader(ask(body), (args) => args)('first: 1');
  await expect(page({ errors: [{ message: 'no', extensions: { code: 'NOT_FOUND' } }] })).rejects.toThrow(
    'NOT_FOUND',
  );
  await expect(page({ data: { hotels: {} } })).rejects.toThrow('must call a connection list');
  const list = await listOf()('first: 3');
  for (const data of [{ list }, { of: { list } }]) expect(await page({ data })).toEqual(list);
});
