import { createLoad } from '../src/kit/data/load';
import { connect } from '../src/kit/relay/connection';
import { encodeNodeId } from '../src/kit/relay/node';
import { pageOf } from '../src/kit/relay/page';
import { heatmapOf } from '../src/map/heatmap';
import { limitLoad } from '../src/kit/cost/limit-load';
import { TERM_BOUNDS, termList } from '../src/search/term-list';
import { mostLikedOfTerms } from '../src/search/top-term-list';
import { words as wordIndex } from '../src/search/term.table';
import { hashtagsOf } from '../src/write/tweet/text';
import { taskHandlers } from '../src/tasks';
import { topList } from '../src/tweet/top-list';
import { tweetById } from '../src/tweet/visible';
import { person, startHarness, tweet, type Harness } from './harness';
import { act, ask, post } from './mutations';

const one = (tweetId: string) => encodeNodeId('Tweet', tweetId);
const PEOPLE = ['1', '2', '3', '4', '5', '6', '7', '8'];
const WHOLE = '{ south: -90, west: -180, north: 90, east: 180 }';
const ALWAYS = 'from: "2020-01-01T00:00:00Z", to: "2030-01-01T00:00:00Z"';

let server: Harness;
async function start(): Promise<void> {
  server = await startHarness();
  await server.store(PEOPLE.map((id) => person(id, `user${id}`)));
}

/** A tweet whose word, hashtag, place and language no other test has, and what every field shows of such tweets. */
function story(n: number) {
  const word = `found${n}`;
  const language = ['fr', 'es', 'it', 'pt', 'nl', 'sv'][n] ?? 'pl';
  const area = `{ south: ${10 * n}, west: 0, north: ${10 * n + 5}, east: 5 }`;
  const nodes = '{ nodes { tweetId } }';
  return {
    word,
    tweet: {
      content: `They ${word} it #${word}`,
      language,
      location: { latitude: 10 * n + 1, longitude: 1 },
    },
    shown: async (of = language) => {
      const data = (await ask(
        server,
        `{
          newest: searchTweets(words: ["${word}"], order: NEWEST) ${nodes}
          liked: searchTweets(words: ["${word}", "they"]) ${nodes}
          hashtag(name: "${word}") { newest: tweets ${nodes} liked: tweets(order: MOST_LIKED) ${nodes} }
          trendingHashtags(first: 100) { hashtag { name } count }
          tweetFrequency(${ALWAYS}, unit: DAY, language: "${of}") { count }
          tweetsInArea(area: ${area}, ${ALWAYS}) ${nodes}
          tweetHeatmap(area: ${area}, ${ALWAYS}, precision: 2) { count }
        }`,
      )) as Found;
      const { newest, liked, hashtag, tweetsInArea, trendingHashtags } = data;
      const trend = trendingHashtags.find(({ hashtag: { name } }) => name === word);
      return {
        lists: [newest, liked, hashtag?.newest, hashtag?.liked, tweetsInArea].map(
          (list) => list?.nodes.map(({ tweetId }) => tweetId) ?? [],
        ),
        authors: trend?.count ?? 0,
        frequency: sum(data.tweetFrequency),
        heat: sum(data.tweetHeatmap),
      };
    },
  };
}

interface Found {
  readonly newest: Nodes;
  readonly liked: Nodes;
  readonly hashtag: { readonly newest: Nodes; readonly liked: Nodes } | null;
  readonly trendingHashtags: readonly {
    readonly hashtag: { readonly name: string };
    readonly count: number;
  }[];
  readonly tweetFrequency: readonly { readonly count: number }[];
  readonly tweetsInArea: Nodes;
  readonly tweetHeatmap: readonly { readonly count: number }[];
}
interface Nodes {
  readonly nodes: readonly { readonly tweetId: string }[];
}
const everywhere = (...ids: readonly string[]) => Array.from({ length: 5 }, () => ids);
const sum = (counts: readonly { readonly count: number }[]) =>
  counts.reduce((total, { count }) => total + count, 0);
const nowhere = { lists: everywhere(), authors: 0, frequency: 0, heat: 0 };

describe('what is posted, imported and deleted', () => {
  beforeAll(start);
  afterAll(() => server.close());

  test('a tweet stands in every field at once, and leaves all of them at once when it is deleted', async () => {
    const { tweet: found, shown, word } = story(0);
    const first = await post(server, '1', found);
    const second = await post(server, '2', found);
    expect(await shown()).toEqual({
      lists: everywhere(second.tweetId, first.tweetId),
      authors: 2,
      frequency: 2,
      heat: 2,
    });
    for (const who of ['3', '4', '5']) await act(server, who, 'likeTweet', { id: second.id });
    await act(server, '2', 'deleteTweet', { id: second.id });
    const after = { lists: everywhere(first.tweetId), authors: 1, frequency: 1, heat: 1 };
    expect(await shown()).toEqual(after);
    await server.writeContext.outbox.idle();
    expect(await shown()).toEqual(after);
    await act(server, '2', 'deleteTweet', { id: second.id });
    await act(server, '1', 'deleteTweet', { id: first.id });
    await server.writeContext.outbox.idle();
    expect(await shown()).toEqual(nowhere);
    const terms = ['tweets_by_word', 'top_tweets_by_word', 'tweets_by_hashtag', 'top_tweets_by_hashtag'];
    for (const table of [...terms, 'hashtags_by_hour', 'tweets_by_area', 'tweets_by_minute']) {
      const rows = await server.database.run(`SELECT CAST(tweet_id AS text) AS id FROM ${table}`);
      const left = rows.map((row) => String(row['id']));
      expect([table, word, left.filter((id) => [first.tweetId, second.tweetId].includes(id))]).toEqual([
        table,
        word,
        [],
      ]);
    }
  });

  test('what was imported leaves them, too, and does not come back by importing it again', async () => {
    const { tweet: found, shown, word } = story(1);
    const more = { createdAt: new Date(), hashtags: [word], likeCount: 5 };
    const record = tweet('10', '1', 0, { ...found, ...more });
    await server.store([record]);
    expect(await shown()).toEqual({ lists: everywhere('10'), authors: 1, frequency: 1, heat: 1 });
    await act(server, '1', 'deleteTweet', { id: one('10') });
    expect(await shown()).toEqual(nowhere);
    await server.writeContext.outbox.idle();
    await server.store([record]);
    expect(await shown()).toEqual(nowhere);
  });

  test('shares are found by words and hashtags, newest first; they are not liked, and make no trend', async () => {
    const { tweet: found, shown } = story(2);
    const original = await post(server, '1', found);
    await act(server, '2', 'shareTweet', { id: original.id });
    const { lists, authors, frequency } = await shown();
    expect(lists.map((list) => list.length)).toEqual([2, 1, 2, 1, 1]);
    expect({ authors, frequency }).toEqual({ authors: 1, frequency: 2 });
    await act(server, '1', 'deleteTweet', { id: original.id });
    expect((await shown()).lists).toEqual(everywhere());
    await server.writeContext.outbox.idle();
    expect(await shown()).toEqual(nowhere);
  });

  test('posting twice with one key, and being finished twice, counts once', async () => {
    const { tweet: found, shown } = story(3);
    const posted = await post(server, '1', { ...found, idempotencyKey: 'k' });
    expect(await post(server, '1', { ...found, idempotencyKey: 'k' })).toEqual(posted);
    const handlers = taskHandlers(server.writeContext);
    await server.writeContext.outbox.idle();
    for (let times = 0; times < 2; times++)
      await handlers['post']?.(
        { tweetId: posted.tweetId },
        { createdAt: new Date(), progress: null, checkpoint: async () => undefined },
      );
    expect(await shown()).toEqual({ lists: everywhere(posted.tweetId), authors: 1, frequency: 1, heat: 1 });
  });

  test('importing again with other words, place, language and time moves a tweet', async () => {
    const { tweet: found, shown, word } = story(4);
    await server.store([tweet('11', '1', 0, { ...found, hashtags: [word], likeCount: 9 })]);
    expect(await shown()).toMatchObject({ lists: everywhere('11'), frequency: 1, heat: 1 });
    const lost = { content: 'Lost #lost', hashtags: ['lost'], language: 'sv', likeCount: 9 };
    await server.store([tweet('11', '1', 40, lost)]);
    expect(await shown()).toEqual(nowhere);
    expect(await shown('sv')).toMatchObject({ frequency: 1 });
    const nodes = '{ nodes { tweetId location { latitude } } }';
    const source = `{
      a: searchTweets(words: ["lost"]) ${nodes} b: searchTweets(words: ["lost"], order: NEWEST) ${nodes}
      c: hashtag(name: "lost") { tweets ${nodes} } old: tweetsOfDay(day: "2026-01-01") ${nodes}
    }`;
    const only = { nodes: [{ tweetId: '11', location: null }] };
    expect(await ask(server, source)).toEqual({ a: only, b: only, c: { tweets: only }, old: { nodes: [] } });
  });

  test('the most liked are exact while likes cross powers of two between the pages', async () => {
    const count = 14;
    await server.store(
      Array.from({ length: count }, (_, n) =>
        tweet(String(100 + n), '1', n, { content: 'common word', likeCount: n % 5, hashtags: ['word'] }),
      ),
    );
    const likes = Array.from({ length: count }, (_, n) => n % 5);
    for (let round = 0; round < 12; round++) {
      const n = (round * 5) % count;
      const name = round % 4 === 3 ? 'unlikeTweet' : 'likeTweet';
      const who = PEOPLE[round % 3] ?? '';
      const { tweet: changed } = (await act(server, who, name, { id: one(String(100 + n)) })) as {
        tweet: { likeCount: number };
      };
      likes[n] = changed.likeCount;
      const expected = likes
        .map((likeCount, place) => ({ tweetId: String(100 + place), likeCount }))
        .sort((a, b) => b.likeCount - a.likeCount || Number(b.tweetId) - Number(a.tweetId));
      const data = await ask(
        server,
        `{ search: searchTweets(words: ["word", "common"], first: 50) { nodes { tweetId likeCount } }
         hashtag(name: "word") { tweets(order: MOST_LIKED, first: 50) { nodes { tweetId likeCount } } } }`,
      );
      expect(data).toEqual({ search: { nodes: expected }, hashtag: { tweets: { nodes: expected } } });
    }
  });

  test('what trends is counted by authors, by the last use of each, in the window asked for', async () => {
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    let id = 1000;
    const use = (tag: string, author: string, minutes: number, more = {}) =>
      tweet(String(++id), author, 0, {
        content: `#${tag}`,
        hashtags: hashtagsOf(`#${tag}`),
        createdAt: minutesAgo(minutes),
        ...more,
      });
    await server.store([
      // One author, often: 1. Two authors in the last quarter of an hour: 2.
      ...[1, 2, 3, 4].map((minute) => use('often', '1', minute)),
      ...['1', '2'].map((author) => use('Fresh', author, 5)),
      // Three in the second quarter: 1½. Five in the last: 5/8. As much as that, by name before it.
      ...['1', '2', '3'].map((author) => use('older', author, 20)),
      ...['1', '2', '3', '4', '5'].map((author) => use('oldest', author, 50)),
      ...['1', '2', '3', '4', '5'].map((author) => use('early', author, 50)),
      // The last use counts.
      use('again', '1', 50),
      use('again', '1', 1),
      use('yesterday', '1', 20 * 60),
      use('week', '1', 6 * 24 * 60),
      use('before', '1', 8 * 24 * 60),
      use('shared', '1', 2, { sharedTweetId: '999' }),
    ]);
    const trends = async (window: string, first: number | null = null) => {
      const source = `query ($first: Int) { trendingHashtags(window: ${window}, first: $first) { hashtag { name } count } }`;
      const { data, errors } = await server.query(source, { first });
      expect(errors).toEqual([]);
      const { trendingHashtags } = data as {
        trendingHashtags: { hashtag: { name: string }; count: number }[];
      };
      return trendingHashtags.map(({ hashtag, count }) => `${hashtag.name} ${count}`);
    };
    const hour = (await trends('HOUR')).filter((one) => !one.startsWith('found'));
    expect(hour).toEqual(['fresh 2', 'older 3', 'again 1', 'often 1', 'early 5', 'oldest 5']);
    expect(await trends('HOUR', 2)).toEqual(['fresh 2', 'older 3']);
    expect((await trends('DAY')).slice(-1)).toEqual(['yesterday 1']);
    expect((await trends('WEEK')).slice(-1)).toEqual(['week 1']);
  });
});

describe('what is asked', () => {
  beforeAll(start);
  afterAll(() => server.close());

  test.each([
    ['searchTweets(words: [])', /Give 1 to 8 words, but got 0/],
    ['searchTweets(words: ["a", "💥"])', /must hold a letter or digit, but got: "💥"/],
    ['searchTweets(words: ["..."])', /must hold a letter or digit/],
    [
      `searchTweets(words: ["${'a-b c '.repeat(5)}d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-x-y-z 1 2 3 4 5 6 7"])`,
      /at most 32/,
    ],
    ['searchTweets(words: ["a"], first: 101)', /first must be 1 to 100/],
    [
      'searchTweets(words: ["a"], after: "x")',
      /A cursor must be one that this list gave for the same arguments/,
    ],
    [
      `tweetsInArea(area: { south: 2, west: 0, north: 1, east: 1 }, ${ALWAYS})`,
      /south must not be above north/,
    ],
    [
      `tweetsInArea(area: { south: -90.5, west: 0, north: 1, east: 1 }, ${ALWAYS})`,
      /south must be -90 to 90/,
    ],
    [`tweetsInArea(area: { south: 0, west: 0, north: 1, east: 181 }, ${ALWAYS})`, /east must be -180 to 180/],
    [
      `tweetsInArea(area: ${WHOLE}, from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z")`,
      /from must not be/,
    ],
  ])('%s is bad input', async (field, message) => {
    const { data, errors } = await server.query(`{ ${field} { nodes { tweetId } } }`);
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      { message: expect.stringMatching(message) as string, extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  test.each([
    [`tweetHeatmap(area: ${WHOLE}, ${ALWAYS}, precision: 0) { count }`, /precision must be 1 to 8/],
    [`tweetHeatmap(area: ${WHOLE}, ${ALWAYS}, precision: 9) { count }`, /precision must be 1 to 8/],
    [`tweetHeatmap(area: ${WHOLE}, ${ALWAYS}, precision: 6) { count }`, /precision must be at most 2/],
    [`tweetFrequency(${ALWAYS}) { count }`, /at most 10000 points.*unit DAY fits/],
    [`tweetFrequency(from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z") { count }`, /unit HOUR fits/],
    [
      `tweetFrequency(from: "1900-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z", unit: DAY) { count }`,
      /shorter period/,
    ],
    [`tweetFrequency(${ALWAYS}, unit: DAY, language: "no language") { count }`, /BCP 47/],
    ['trendingHashtags(first: 0) { count }', /first must be 1 to 100/],
    ['trendingHashtags(first: 101) { count }', /first must be 1 to 100/],
  ])('%s is bad input, and the message says what would fit', async (field, message) => {
    const { data, errors } = await server.query(`{ ${field} }`);
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      { message: expect.stringMatching(message) as string, extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  test('hashtags that nobody used are null, and words that nobody wrote find nothing', async () => {
    const data = await ask(
      server,
      '{ a: hashtag(name: "nothing") { name } b: hashtag(name: "") { name } c: hashtag(name: "#!") { name } searchTweets(words: ["nothing", "at", "all"]) { nodes { id } pageInfo { hasNextPage } } }',
    );
    expect(data).toEqual({
      a: null,
      b: null,
      c: null,
      searchTweets: { nodes: [], pageInfo: { hasNextPage: false } },
    });
  });

  describe('bounds', () => {
    const COUNT = 120;
    beforeAll(() =>
      server.store(
        Array.from({ length: COUNT }, (_, n) =>
          tweet(String(100 + n), '1', Math.floor(n / 4), {
            content: n % 30 === 0 ? 'common rare' : 'common',
            likeCount: n % 3 === 0 && n < 60 ? 0 : n + 1,
            location: { latitude: n / 10, longitude: n },
          }),
        ),
      ),
    );
    const rare = ['190', '160', '130', '100'];

    const idOf = ({ tweetId }: { tweetId: string }) => tweetId;
    const edgeOf = (_row: unknown, cursor: string) => ({ cursor });

    test('a page that a bound on rows has cut goes on by its cursor', async () => {
      const walk = async (
        bounds: { continuations?: number; maxSeenRows?: number; firstRows?: number },
        isTop: boolean,
      ) => {
        const ids: string[] = [];
        let cut = 0;
        for (let after: string | null = null; ;) {
          const load = createLoad(server.database);
          // The common word drives: the rare one is looked for in each of its tweets.
          const list = await termList(load, wordIndex, ['common']);
          const newest = { ...list, bounds: { ...TERM_BOUNDS, ...bounds } };
          const only = async ({ tweetId }: { tweetId: string }) => rare.includes(tweetId);
          const page = pageOf(newest.name, { first: 2, after });
          const max = { reads: 10_000, rows: 10_000 };
          const limited = limitLoad(load, max, () => new Error('too much'));
          const top = topList(
            limited,
            {
              name: newest.name,
              owners: async () => ['2026'],
              top: (load, year, slice) =>
                load(wordIndex.top.page, { bucket: Number(year), term: 'common', ...slice }),
              narrow: async (_load, _year, rows) => rows.filter(({ tweetId }) => rare.includes(tweetId)),
              newest: async () => ({ ...newest, shown: only }),
              tweetOf: (load, { tweetId }) => tweetById(load, tweetId),
              holds: () => true,
            },
            { max, firstRows: 200, ...bounds },
          );
          const answer = isTop
            ? await connect(top, page, edgeOf, idOf)
            : await connect({ ...newest, sources: heldBy(newest) }, page, edgeOf, idOf);
          ids.push(...answer.nodes);
          const { hasNextPage, endCursor } = answer.pageInfo;
          if (!(await hasNextPage)) return { ids, cut };
          if (answer.nodes.length < 2) cut++;
          expect(endCursor).not.toBe(after);
          after = endCursor;
        }
      };
      const heldBy = (list: Awaited<ReturnType<typeof termList>>) => (bucket: number) =>
        list.sources(bucket).map((source) => ({
          ...source,
          holds: ({ tweetId }: { tweetId: string }) => rare.includes(tweetId),
        }));
      expect(await walk({}, false)).toEqual({ ids: rare, cut: 0 });
      const bounded = await walk({ continuations: 1 }, false);
      expect(bounded.ids).toEqual(rare);
      expect(bounded.cut).toBeGreaterThan(2);
      // Of these four nobody likes any but the first two.
      const top = await walk({}, true);
      expect(top).toEqual({ ids: rare, cut: 0 });
      const cut = await walk({ maxSeenRows: 20, firstRows: 8 }, true);
      expect(cut.ids).toEqual(rare);
      expect(cut.cut).toBeGreaterThan(0);
    });

    test('the rarest word is the one that is walked', async () => {
      const { data, reads } = await server.query(
        '{ searchTweets(words: ["common", "rare"], order: NEWEST) { nodes { tweetId } } }',
      );
      expect(data).toEqual({ searchTweets: { nodes: rare.map((tweetId) => ({ tweetId })) } });
      expect(reads.filter(({ statement }) => statement === 'tweets.get').map(({ keys }) => keys)).toEqual([
        4,
      ]);
      const statements = new Set(reads.map(({ statement }) => statement));
      expect(statements).toEqual(new Set(['buckets.page', 'tweets_by_word.page', 'tweets.get']));
    });

    test('a page of the most liked with one word reads a partition of its year and the counts of as many', async () => {
      const { data, reads } = await server.query(
        '{ searchTweets(words: ["common"], first: 5) { nodes { content } } }',
      );
      expect((data as { searchTweets: { nodes: unknown[] } }).searchTweets.nodes).toHaveLength(5);
      const statements = reads.map(({ statement }) => statement);
      expect(new Set(statements)).toEqual(
        new Set(['buckets.page', 'top_tweets_by_word.page', 'tweet_counts.get', 'tweets.get']),
      );
      expect(statements.filter((name) => name === 'top_tweets_by_word.page').length).toBeLessThan(3);
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
        ['tweet_frequency.page', 1],
      ]);
    });

    test('a heatmap of more tweets than are counted says from when on they fit', async () => {
      const load = createLoad(server.database);
      const boxes = [{ south: -90, west: -180, north: 90, east: 180 }];
      const period = { from: new Date('2020-01-01'), to: new Date('2030-01-01') };
      const sum = async (from: Date, most?: number) =>
        (await heatmapOf(load, boxes, { ...period, from }, 2, most)).reduce(
          (total, { count }) => total + count,
          0,
        );
      expect(await sum(period.from)).toBe(COUNT);
      expect(await sum(period.from, COUNT)).toBe(COUNT);
      const refused = await sum(period.from, 50).catch((error: unknown) => String(error));
      const [, fitting = ''] = /or a period from (\S+) on/.exec(String(refused)) ?? [];
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
      const { sources } = await mostLikedOfTerms(createLoad(server.database), wordIndex, ['rare']);
      expect(sources.name).not.toContain('common');
    });
  });

  test('the raw record is what was imported, as long as its tweet is there', async () => {
    const records: Record<string, [json: string, raw: unknown]> = {
      '100': [
        '{"id": 735073339161620480, "n": 1.50, "deep": {"a": [null, true, -0.0928, 9007199254740993]}}',
        { id: '735073339161620480', n: 1.5, deep: { a: [null, true, -0.0928, '9007199254740993'] } },
      ],
      '101': ['{"a": 1, "a": 2, "__proto__": "x"}', JSON.parse('{"a": 2, "__proto__": "x"}')],
      '102': ['{"text": "\\ud83d\\ude00 \\u0000 é", "big": 1e400}', { text: '😀 \0 é', big: '1e400' }],
      '103': ['{"author": "1", "number_of_likes": "007"}', { author: '1', number_of_likes: '007' }],
    };
    await server.store(Object.entries(records).map(([tweetId, [raw]]) => tweet(tweetId, '1', 0, { raw })));
    for (const [tweetId, [, raw]] of Object.entries(records)) {
      const { body } = await server.post(
        JSON.stringify({ query: `{ tweet(tweetId: "${tweetId}") { raw } }` }),
      );
      expect(JSON.stringify((JSON.parse(body) as { data: unknown }).data)).toBe(
        JSON.stringify({ tweet: { raw } }),
      );
    }
    const made = await post(server, '1', { content: 'made here' });
    expect(await ask(server, `{ tweet(tweetId: "${made.tweetId}") { raw } }`)).toEqual({
      tweet: { raw: null },
    });
    await act(server, '1', 'deleteTweet', { id: one('100') });
    expect(await server.database.run('SELECT raw FROM raw_tweets WHERE tweet_id = 100')).toEqual([]);
  });
});
