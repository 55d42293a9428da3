import { createLoad } from '../../src/kit/reads/load';
import { writeOf } from '../../src/kit/cassandra/write';
import { encodeCursor } from '../../src/kit/lists/cursor';
import type { ConnectionArguments } from '../../src/kit/input/page-args';
import { SEES_ALL } from '../../src/features/hidden/sight/sight';
import { connectMostLiked } from '../../src/features/tweet/top-list';
import { topRows } from '../../src/features/tweet/top-reading';
import type { TopRow } from '../../src/features/tweet/top-position';
import { tweetsByAuthor } from '../../src/features/tweet/tweet.lists';
import { topTweetsByAuthor } from '../../src/features/tweet/tweet.table';
import { person, startHarness, tweet, type Harness } from '../support/harness';

const LIKES = [0, 1, 1, 2, 3, 4, 5, 6, 7, 9];
/** Author 30 has few likes for each tweet, 31 many, 32 has tweets of both kinds, one with a very small id, and 33 has one to three likes. */
const items = [
  ...Array.from({ length: 300 }, (_, n) => ({
    tweetId: String(20_000 + n),
    authorId: '30',
    likeCount: LIKES[(n * 7) % 10] ?? 0,
  })),
  ...Array.from({ length: 120 }, (_, n) => ({
    tweetId: String(30_000 + n),
    authorId: '31',
    likeCount: n < 100 ? 128 + n : 300 + n,
  })),
  { tweetId: '5', authorId: '32', likeCount: 4 },
  ...Array.from({ length: 60 }, (_, n) => ({
    tweetId: String(40_000 + n),
    authorId: '32',
    likeCount: n === 0 ? 700 : 4 + (n % 4),
  })),
  ...Array.from({ length: 120 }, (_, n) => ({
    tweetId: String(50_000 + n),
    authorId: '33',
    likeCount: 1 + (n % 2) * (1 + (n % 3 === 0 ? 1 : 0)),
  })),
];
type Item = (typeof items)[number];

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    ...['30', '31', '32', '33'].map((id) => person(id, `user${id}`)),
    ...items.map(({ tweetId, authorId, likeCount }, n) => tweet(tweetId, authorId, n % 28, { likeCount })),
  ]);
});
afterAll(() => server.close());

const idOf = ({ tweetId }: { readonly tweetId: string }) => tweetId;
const isShown = ({ tweetId }: { readonly tweetId: string }) => Number(tweetId) % 3 !== 1;

function wantedOf(authors: readonly string[], isVisible: (item: Item) => boolean = () => true): string[] {
  return items
    .filter((item) => authors.includes(item.authorId) && isVisible(item))
    .sort((a, b) => b.likeCount - a.likeCount || Number(b.tweetId) - Number(a.tweetId))
    .map(idOf);
}

interface Asked {
  readonly authors: readonly string[];
  /** How many reads a page may make. */
  readonly reads: number;
  readonly isVisible?: (tweet: { readonly tweetId: string }) => boolean;
  /** Which rows of the liked tweets are found: others are not there yet. */
  readonly isRead?: (row: TopRow) => boolean;
}

function readPage({ authors, reads, isVisible, isRead = () => true }: Asked, args: ConnectionArguments) {
  const load = createLoad(server.database);
  const [authorId = ''] = authors;
  return connectMostLiked(
    { load, sight: SEES_ALL, reserve: () => Promise.resolve() },
    'LIST',
    args,
    async () => ({
      sources: {
        name: 'bounded',
        owners: async () => authors,
        top: async (limited, owner, slice) => {
          const read = await topRows(limited(topTweetsByAuthor.page, { authorId: owner, ...slice }), slice);
          return { ...read, rows: read.rows.filter(isRead) };
        },
        newest: async () => tweetsByAuthor.list(load, authorId),
        tweetOf: async (_load, found) => found,
        ...(isVisible && { isVisible }),
      },
    }),
    { reads, rows: 2000 },
  );
}

const lists: readonly (Omit<Asked, 'reads'> & {
  readonly name: string;
  readonly bounds: readonly number[];
})[] = [
  { name: 'of an author', authors: ['30'], bounds: [1000, 240, 60] },
  { name: 'of which a third is hidden', authors: ['30'], isVisible: isShown, bounds: [1000, 240, 60] },
  // These bounds are reached among the tweets with one like, after those with more were compared.
  { name: 'followed by one like', authors: ['33'], bounds: [88, 85, 82, 79] },
  // With fewer reads, the 100 tweets of one magnitude above 127 likes are refused.
  { name: 'of several authors', authors: ['32', '31'], bounds: [1000, 240] },
];
const cases = lists.flatMap(({ bounds, ...list }) => bounds.map((reads) => ({ ...list, reads })));

describe('a magnitude with more tweets than a page may compare', () => {
  test.each(cases)('$name: pages in both directions join to all, by $reads reads', async (asked) => {
    const { authors, isVisible, reads } = asked;
    const wanted = wantedOf(authors, isVisible);
    const forwards: string[] = [];
    const cursors: { readonly after: string; readonly index: number }[] = [];
    let cut = 0;
    for (let after: string | null = null; ;) {
      const { nodes, pageInfo } = await readPage(asked, { first: 5, after });
      forwards.push(...nodes.map(idOf));
      if (!(await pageInfo.hasNextPage)) break;
      if (nodes.length < 5) cut++;
      expect(pageInfo.endCursor).not.toBe(after);
      after = pageInfo.endCursor;
      if (nodes.length === 5) cursors.push({ after: after ?? '', index: forwards.length });
    }
    expect(forwards).toEqual(wanted);
    if (reads === 60) expect(cut).toBeGreaterThan(0);
    const backwards: string[] = [];
    for (let before: string | null = null; ;) {
      const { nodes, pageInfo } = await readPage(asked, { last: 5, before });
      backwards.unshift(...nodes.map(idOf));
      if (!(await pageInfo.hasPreviousPage)) break;
      expect(pageInfo.startCursor).not.toBe(before);
      before = pageInfo.startCursor;
    }
    expect(backwards).toEqual(wanted);
    for (const { after, index } of cursors.filter((_, n) => n % 8 === 0)) {
      const next = await readPage(asked, { first: 5, after });
      expect(next.nodes.map(idOf)).toEqual(wanted.slice(index, index + next.nodes.length));
      // Finding out shares the page's bound: where that is very small, the answer may be false.
      expect(reads < 240 ? [true, false] : [true]).toContain(await next.pageInfo.hasPreviousPage);
    }
  });
});

describe('from 128 likes on', () => {
  test('a page ends before a magnitude with too many tweets, and the page after it is refused if it is one', async () => {
    const asked = { authors: ['31'], reads: 100 };
    const { nodes, pageInfo } = await readPage(asked, { first: 25 });
    expect(nodes.map(idOf)).toEqual(wantedOf(['31']).slice(0, 20));
    expect(await pageInfo.hasNextPage).toBe(true);
    const after = pageInfo.endCursor;
    await expect(readPage(asked, { first: 25, after })).rejects.toMatchObject({
      message: `A page of MOST_LIKED may read 100 partitions, but this one would read more. Ask for NEWEST, which reads less.`,
      extensions: { code: 'QUERY_TOO_LARGE' },
    });
    const next = await readPage({ ...asked, reads: 140 }, { first: 25, after });
    expect(next.nodes.map(idOf)).toEqual(wantedOf(['31']).slice(20, 45));
  });
});

describe('a tweet whose likes grew after its row was read', () => {
  const wanted = wantedOf(['30']);
  const late = wanted[0] ?? '';

  beforeAll(async () => {
    const row = { authorId: '30', magnitude: 3, tweetId: late, createdAt: new Date() };
    const { query, params } = writeOf(topTweetsByAuthor, row);
    await server.database.write(query, [...params]);
  });

  test('comes before all with 7 likes if it has 9 now', async () => {
    const isRead = ({ magnitude, tweetId }: TopRow) => magnitude < 4 || tweetId !== late;
    const { nodes } = await readPage({ authors: ['30'], reads: 1000, isRead }, { first: 31 });
    expect(nodes.map(idOf)).toEqual([...wanted.slice(1, 30), late, ...wanted.slice(30, 31)]);
  });

  test('also where its magnitude is read count by count', async () => {
    const isRead = ({ magnitude }: TopRow) => magnitude < 4;
    const { nodes } = await readPage({ authors: ['30'], reads: 60, isRead }, { first: 5 });
    expect(nodes.map(idOf)).toEqual([late, ...wanted.slice(30, 34)]);
  });

  test('comes before all that nobody likes if it has its first likes', async () => {
    const isRead = ({ tweetId }: TopRow) => tweetId === wanted[1];
    const { nodes } = await readPage({ authors: ['30'], reads: 1000, isRead }, { first: 40 });
    const newest = items.filter(({ authorId }) => authorId === '30').map(idOf);
    expect(nodes.map(idOf)).toEqual([
      wanted[1],
      ...newest
        .reverse()
        .filter((tweetId) => tweetId !== wanted[1])
        .slice(0, 39),
    ]);
  });
});

test.each(['99999999999', '127', '1', '0'])(
  'a page after a made-up cursor at %s likes makes at most 100 reads',
  async (likes) => {
    const after = encodeCursor('bounded', { bucket: 1, key: [likes, '1', '9223372036854775807'] });
    const { nodes } = await readPage({ authors: ['30'], reads: 100 }, { first: 5, after });
    expect(nodes).toHaveLength(5);
  },
);
