import { searchedWords, termsOf } from '../../src/search/words';
import { randomFrom } from '../../src/kit/base/random';
import { startHarness, tweet } from '../harness';
import { languages } from './languages';
import { isIn, wordsToAsk } from './matcher';

const random = randomFrom(36);
const below = (max: number) => Math.floor(random() * max);
const texts = Object.values(languages);

/** A word as somebody else might write it. */
function variantOf(word: string): string {
  const roll = random();
  if (roll < 0.25) return word.toUpperCase();
  if (roll < 0.4) return word.normalize('NFD');
  if (roll < 0.5) return word.replace(/\p{L}$/u, '') || word;
  return word;
}

const asked = [...new Set(texts.flatMap((text) => wordsToAsk(text, below)).map(variantOf))];

test('a word is found in a text of any language if comparing every stretch of the text finds it', () => {
  expect(asked.length).toBeGreaterThan(500);
  const terms = texts.map((content) => new Set(termsOf({ content, hashtags: [] })));
  let found = 0;
  const different: string[] = [];
  for (const word of asked)
    texts.forEach((content, index) => {
      const expected = isIn(content, word);
      const asks = searchedWords([word]);
      const isFound = asks.terms.every((term) => terms[index]?.has(term)) && asks.isFoundIn({ content });
      if (expected) found++;
      if (isFound !== expected)
        different.push(`${word} in ${content}: ${isFound}, but ${expected} by the collation`);
    });
  expect(different).toEqual([]);
  expect(found).toBeGreaterThan(asked.length * 0.8);
});

test('searches find the texts of all languages that have the words, in both orders', async () => {
  const server = await startHarness();
  await server.store(
    texts.map((content, n) => tweet(String(100 + n), '1', n, { content, likeCount: n % 3 })),
  );
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
}, 120_000);
