import { searchedWords, findTweetTerms } from '../../src/features/search/words';
import { randomFrom } from '../../src/kit/base/random';
import { startHarness, tweet, type Harness } from '../support/harness';
import { languages } from './languages';
import { isIn, wordsToAsk } from './matcher';

const random = randomFrom(36);
const below = (max: number) => Math.floor(random() * max);
const texts = Object.values(languages);

/** Letters as people type them who do not have them on their keyboard, and near ones that are other letters. */
const others = new Map(
  (
    "ł l ø o đ d ð d æ ae œ oe ß ss ı i þ th ё е й и ґ г ї и ς σ ى ي ی ي ک ك ة ه أ ا ם מ ’ ' ١ 1 ۲ 2 3 ٣ " +
    'ニ に ュ ゆ ガ カ タ だ で テ ば ぱ ำ า \u0E35 \u0E39 \u0EB5 \u0EB4 \u17B6 \u17B7 \u102C \u102B \u093F \u0940 \u09BE \u09BF'
  )
    .match(/\S+ \S+/g)
    ?.map((pair): [string, string] => [pair.split(' ')[0] ?? '', pair.split(' ')[1] ?? '']),
);

/** A word as somebody else might write it, or another one that is near. */
function variantOf(word: string): string {
  const letters = Array.from(word);
  const at = below(letters.length);
  switch (below(10)) {
    case 0:
      return word.toUpperCase();
    case 1:
      return word.normalize('NFD');
    case 2:
      return word.normalize('NFD').replace(/\p{M}/u, '').normalize('NFC');
    case 3:
      return word.normalize('NFD').replace(/\p{M}/gu, '');
    case 4:
      return letters.toSpliced(at, 1).join('') || word;
    case 5:
      return letters.toSpliced(at, 2, letters[at + 1] ?? '', letters[at] ?? '').join('');
    case 6:
    case 7:
      return letters.map((letter) => others.get(letter) ?? letter).join('');
    default:
      return word;
  }
}

const asked = [
  ...new Set(
    texts
      .flatMap((text) => wordsToAsk(text, below))
      .flatMap((word) => (/[^a-z]/i.test(word) ? [word, word, word] : word))
      .map(variantOf)
      .filter((word) => /^[\p{L}\p{N}]/u.test(word)),
  ),
];

test('a word is found in a text of any language if comparing every stretch of the text finds it', () => {
  expect(asked.length).toBeGreaterThan(500);
  const terms = texts.map((content) => new Set(findTweetTerms({ content, hashtags: [] })));
  let found = 0;
  const different: string[] = [];
  for (const word of asked)
    texts.forEach((content, index) => {
      const expected = isIn(content, word);
      const asks = searchedWords([word]);
      const isFound =
        asks.terms.every((term) => terms[index]?.has(term)) && asks.isFoundIn({ content, hashtags: [] });
      if (expected) found++;
      if (isFound !== expected)
        different.push(`${word} in ${content}: ${isFound}, but ${expected} by the collation`);
    });
  expect(different).toEqual([]);
  expect(found).toBeGreaterThan(asked.length / 2);
  expect(found).toBeLessThan(asked.length * 3);
});

describe('on a server', () => {
  let server: Harness;
  beforeAll(async () => {
    server = await startHarness();
    await server.store(
      texts.map((content, n) => tweet(String(100 + n), '1', n, { content, likeCount: n % 3 })),
    );
  });

  test('searches find the texts of all languages that have the words, in both orders', async () => {
    const some = asked.filter((_, n) => n % 7 === 0).slice(0, 120);
    const searches = some.map(
      (word, n) =>
        `w${n}: searchTweets(words: ${JSON.stringify([word])}, order: ${n % 2 === 0 ? 'NEWEST' : 'MOST_LIKED'}, first: 50) { nodes { tweetId } }`,
    );
    for (let n = 0; n < some.length; n += 20) {
      const { data, errors } = await server.query(`{ ${searches.slice(n, n + 20).join(' ')} }`);
      expect(errors).toEqual([]);
      const answers = data as Record<string, { nodes: { tweetId: string }[] }>;
      some.slice(n, n + 20).forEach((word, m) => {
        const found = (answers[`w${n + m}`]?.nodes ?? []).map(({ tweetId }) => Number(tweetId) - 100);
        const expected = texts.flatMap((text, index) => (isIn(text, word) ? index : []));
        expect([word, found.sort((a, b) => a - b)]).toEqual([word, expected]);
      });
    }
  });

  test.each(['NEWEST', 'MOST_LIKED'])(
    'no tweet is missing where most have only the letters of a word: %s',
    async (order) => {
      // 200 tweets have the pairs of the word, and every 40th has it.
      const contents = Array.from({ length: 200 }, (_, n) =>
        n % 40 === 20 ? `明日の東京都で${n}` : `東京と京都の都で${n}`,
      );
      await server.store(
        contents.map((content, n) => tweet(String(1000 + n), '2', n, { content, likeCount: n % 7 })),
      );
      const pages: { found: string[]; hasNextPage: boolean; reads: number }[] = [];
      for (let after: string | null = null; ;) {
        const { data, errors, reads } = await server.query(
          `query ($after: String) { searchTweets(words: ["東京都"], order: ${order}, first: 3, after: $after) { nodes { content } pageInfo { hasNextPage endCursor } } }`,
          { after },
        );
        expect(errors).toEqual([]);
        const { nodes, pageInfo } = (
          data as {
            searchTweets: {
              nodes: { content: string }[];
              pageInfo: { hasNextPage: boolean; endCursor: string };
            };
          }
        ).searchTweets;
        const ofTweets = reads.filter(({ table }) => table === 'tweets');
        pages.push({
          found: nodes.map(({ content }) => content),
          hasNextPage: pageInfo.hasNextPage,
          reads: ofTweets.reduce((sum, { partitions }) => sum + partitions, 0),
        });
        if (!pageInfo.hasNextPage) break;
        after = pageInfo.endCursor;
      }
      const found = pages.flatMap((page) => page.found);
      expect(found.sort()).toEqual(contents.filter((content) => content.includes('東京都')).sort());
      expect(pages.length).toBeGreaterThan(1);
    },
  );

  test('a hashtag is shown as most of its newest tweets write it', async () => {
    const tagged = (n: number, ...hashtags: string[]) =>
      tweet(String(2000 + n), String(n), 0, {
        content: hashtags.map((name) => `#${name}`).join(' '),
        hashtags,
        createdAt: new Date(Date.now() - 60_000 * (20 - n)),
      });
    await server.store([
      ...Array.from({ length: 12 }, (_, n) => tagged(n, 'łódź')),
      ...[12, 13, 14, 15].map((n) => tagged(n, 'Lodz')),
      ...[16, 17].map((n) => tagged(n, 'Łódź')),
      tagged(18, 'LODZ', 'Ünïque'),
    ]);
    const { data } = await server.query(
      '{ a: hashtag(name: "lodz") { name tweets(first: 1) { nodes { tweetId } } } b: hashtag(name: "#unique") { name } trendingHashtags { hashtag { name tweets { nodes { tweetId } } } count } }',
    );
    expect(data).toMatchObject({
      a: { name: 'Lodz', tweets: { nodes: [{ tweetId: '2018' }] } },
      b: { name: 'Ünïque' },
      trendingHashtags: [
        { hashtag: { name: 'Lodz' }, count: 19 },
        { hashtag: { name: 'Ünïque', tweets: { nodes: [{ tweetId: '2018' }] } }, count: 1 },
      ],
    });
  });

  test('a hashtag that begins as a longer one has its own tweets and spelling, and no long one trends', async () => {
    const begin = 'Long'.repeat(16);
    const names = [begin, `${begin}One`, `${begin}Two`, begin.slice(1)];
    await server.store(
      names.flatMap((name, n) =>
        [0, 1].map((of) =>
          tweet(String(3000 + 10 * of + n), String(of), 0, {
            content: `#${name}`,
            hashtags: [name],
            createdAt: new Date(Date.now() - 1000 * (n + of)),
          }),
        ),
      ),
    );
    const hashtags = names.map(
      (name, n) =>
        `h${n}: hashtag(name: "${name.toUpperCase()}") { name tweets(order: NEWEST) { nodes { tweetId } } }`,
    );
    const { data } = await server.query(
      `{ ${hashtags.join(' ')} trendingHashtags { hashtag { name } count } }`,
    );
    const tweetsOf = (n: number) => ({ nodes: [{ tweetId: `${3010 + n}` }, { tweetId: `${3000 + n}` }] });
    const { trendingHashtags, ...found } = data as {
      trendingHashtags: readonly { readonly hashtag: { readonly name: string }; readonly count: number }[];
    };
    expect(trendingHashtags.filter(({ hashtag: { name } }) => name.includes('Long'))).toEqual([
      { hashtag: { name: begin.slice(1) }, count: 2 },
    ]);
    expect(found).toEqual(
      Object.fromEntries(names.map((name, n) => [`h${n}`, { name, tweets: tweetsOf(n) }])),
    );
  });
});
