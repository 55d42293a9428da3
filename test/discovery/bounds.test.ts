import { createLoad, type Load } from '../../src/kit/reads/load';
import { connect } from '../../src/kit/lists/connection';
import { pageOf } from '../../src/kit/lists/page';
import { readHeatmap } from '../../src/features/map/heatmap';
import { limitLoad } from '../../src/kit/cost/limit-load';
import { likedSources, wordList } from '../../src/features/search/connect-terms';
import { tweetIndexesIn } from '../../src/features/search/tweet-index';
import { searchedWords } from '../../src/features/search/words';
import { topList } from '../../src/features/tweet/top-list';
import { tweet } from '../support/harness';
import { ALWAYS, server } from './people';

describe('bounds', () => {
  const COUNT = 120;
  beforeAll(() =>
    server.store(
      Array.from({ length: COUNT }, (_, n) =>
        tweet(String(100 + n), '1', Math.floor(n / 4), {
          content: n % 30 === 0 ? 'common rare' : 'common',
          likeCount: n % 3 === 0 && n < 60 ? 0 : n + 1,
          hashtags: ['Counted'],
          location: { latitude: n / 10, longitude: n },
        }),
      ),
    ),
  );
  const rare = ['190', '160', '130', '100'];

  const idOf = ({ tweetId }: { tweetId: string }) => tweetId;
  const edgeOf = (_row: unknown, cursor: string) => ({ cursor });

  test('a page of the most liked that a bound on rows has cut goes on by its cursor', async () => {
    const walk = async (firstRows: number, isCut: boolean) => {
      const ids: string[] = [];
      let cut = 0;
      for (let after: string | null = null; ;) {
        const max = { reads: 10_000, rows: 10_000 };
        const limited = limitLoad(createLoad(server.database), max, () => new Error('too much'));
        const indexes = tweetIndexesIn(server.database);
        const common = likedSources(limited, indexes, wordList(searchedWords(['common'])));
        const isRare = ({ tweetId }: { tweetId: string }) => rare.includes(tweetId);
        const sources = {
          ...common,
          top: async (...asked: Parameters<typeof common.top>) => {
            const read = await common.top(...asked);
            return { ...read, rows: read.rows.filter(isRare), isCut: isCut && read.end !== null };
          },
          newest: async (load: Load) => ({ ...(await common.newest(load)), shown: isRare }),
        };
        const page = pageOf(sources.name, { first: 2, after });
        const top = topList(limited, sources, { max, firstRows });
        const answer = await connect(top, page, edgeOf, idOf);
        ids.push(...answer.nodes);
        const { hasNextPage, endCursor } = answer.pageInfo;
        if (!(await hasNextPage)) return { ids, cut };
        if (answer.nodes.length < 2) cut++;
        expect(endCursor).not.toBe(after);
        after = endCursor;
      }
    };
    // Of these four nobody likes any but the first two.
    expect(await walk(200, false)).toEqual({ ids: rare, cut: 0 });
    const cut = await walk(70, true);
    expect(cut.ids).toEqual(rare);
    expect(cut.cut).toBeGreaterThan(0);
  });

  test('two words are read at once, and only the tweets that have both', async () => {
    const { data, reads } = await server.query(
      '{ searchTweets(words: ["common", "rare"], order: NEWEST) { nodes { tweetId } } }',
    );
    expect(data).toEqual({ searchTweets: { nodes: rare.map((tweetId) => ({ tweetId })) } });
    expect(reads.filter(({ statement }) => statement === 'tweets.get').map(({ keys }) => keys)).toEqual([4]);
    const postings = reads.filter(({ table }) => table === 'postings');
    expect(postings).toHaveLength(1);
  });

  test('a page of the most liked with one word reads its postings and the counts of as many tweets', async () => {
    const { data, reads } = await server.query(
      '{ searchTweets(words: ["common"], first: 5) { nodes { content } } }',
    );
    expect((data as { searchTweets: { nodes: unknown[] } }).searchTweets.nodes).toHaveLength(5);
    const statements = reads.map(({ statement }) => statement);
    expect(statements).toEqual(expect.arrayContaining(['segments.page', 'tweet_counts.get', 'tweets.get']));
    expect(statements.filter((name) => name === 'postings.page').length).toBeLessThan(3);
  });

  test('a page of a hashtag reads its tweets at once, also where they say how the hashtag is written', async () => {
    const tweetsRead = async (fields: string) => {
      const { data, reads } = await server.query(`{ hashtag(name: "counted") { ${fields} } }`);
      return [data, reads.flatMap(({ statement, keys }) => (statement === 'tweets.get' ? keys : []))];
    };
    const page = 'tweets(order: NEWEST, first: 2) { nodes { tweetId } }';
    const tweets = { nodes: [{ tweetId: '219' }, { tweetId: '218' }] };
    expect(await tweetsRead(page)).toEqual([{ hashtag: { tweets } }, [3]]);
    expect(await tweetsRead(`name ${page}`)).toEqual([{ hashtag: { name: 'Counted', tweets } }, [10]]);
    expect(await tweetsRead('__typename')).toEqual([{ hashtag: { __typename: 'Hashtag' } }, []]);
  });

  test('an area and a frequency read the partitions that they say', async () => {
    const { reads } = await server.query(
      `{ tweetsInArea(area: { south: 0, west: 0, north: 1, east: 10 }, ${ALWAYS}) { nodes { tweetId } } }`,
    );
    const areas = reads.filter(({ table }) => table === 'tweets_by_area');
    expect(areas.reduce((sum, { partitions }) => sum + partitions, 0)).toBeLessThanOrEqual(64);
    expect(new Set(reads.map(({ table }) => table))).toEqual(
      new Set(['buckets', 'tweets_by_area', 'tweets']),
    );
    const frequency = await server.query(
      '{ tweetFrequency(from: "2026-01-01T00:00:00Z", to: "2026-01-08T00:00:00Z", unit: DAY) { at language count } }',
    );
    expect(frequency.reads.map(({ statement, partitions }) => [statement, partitions])).toEqual([
      ['tweet_frequency.range', 1],
    ]);
  });

  test('a heatmap of more tweets than are counted says from when on they fit', async () => {
    const load = createLoad(server.database);
    const boxes = [{ south: -90, west: -180, north: 90, east: 180 }];
    const period = { from: new Date('2020-01-01'), to: new Date('2030-01-01') };
    const sum = async (from: Date, most?: number) =>
      (await readHeatmap(load, boxes, { ...period, from }, 2, most)).reduce(
        (total, { count }) => total + count,
        0,
      );
    expect(await sum(period.from)).toBe(COUNT);
    expect(await sum(period.from, COUNT)).toBe(COUNT);
    const refused = await sum(period.from, 50).catch((error: unknown) => String(error));
    const [, fitting = ''] = /or for a period from (\S+) on/.exec(String(refused)) ?? [];
    const fits = await sum(new Date(fitting), 50);
    expect(fits).toBeLessThanOrEqual(50);
    expect(fits).toBeGreaterThan(40);
  });

  test('a cursor is good for its own words only', async () => {
    const page = (words: string, after = '') =>
      server.query(`{ searchTweets(words: ${words}, first: 1${after}) { pageInfo { endCursor } } }`);
    const { data } = await page('["common"]');
    const { endCursor } = (data as { searchTweets: { pageInfo: { endCursor: string } } }).searchTweets
      .pageInfo;
    expect((await page('["common"]', `, after: "${endCursor}"`)).errors).toEqual([]);
    for (const other of ['["rare"]', '["common", "rare"]'])
      expect((await page(other, `, after: "${endCursor}"`)).errors).toMatchObject([
        { extensions: { code: 'BAD_USER_INPUT' } },
      ]);
  });
});
