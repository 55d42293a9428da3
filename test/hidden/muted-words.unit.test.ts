import { isDeepStrictEqual } from 'node:util';
import { searchedWords, knownTerms } from '../../src/features/search/words';
import { hasMuted, keyOfMuted, MutedTexts } from '../../src/features/hidden/sight/muted-words';
import { badInput } from '../../src/kit/base/errors';
import { randomIntFrom } from '../support/random-int';

/** Printed when a test fails. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

const tweetOf = (content: string, hashtags: readonly string[] | null = null) => ({ content, hashtags });

/** Words and texts of many scripts; each text is muted by some of the words. */
const WORDS = [
  'wall',
  'Straße',
  "L'école",
  'e-mail',
  '東京',
  'ก',
  '🎉',
  'Ł',
  '1,000',
  '#Wall',
  '@ada',
  'naïve',
  'coca',
];
const TEXTS = [
  'The wall is here',
  'Wallpaper, not a w all',
  'STRASSE und strasse',
  "Voici l’ecole d'été",
  'my e-mail, or email',
  '東京タワー',
  'กขค',
  'party 🎉🏽 time',
  'łódź',
  '1,000 cranes',
  '#wall and @Ada',
  'Coca-Cola is naive',
];

test('a word that search finds is a word that mute hides, in any script', () => {
  let found = 0;
  for (const word of WORDS)
    for (const text of TEXTS) {
      const tweet = tweetOf(text);
      const { terms, isFoundIn } = searchedWords([word]);
      const known = knownTerms(tweet);
      const isSearched = terms.every((term) => known.has(term)) && isFoundIn(tweet);
      expect([word, text, hasMuted(tweet, word)]).toEqual([word, text, isSearched]);
      if (isSearched) found++;
    }
  expect(found).toBeGreaterThan(10);
});

test.each([
  ['good morning', 'A good morning to all', true],
  ['Good MORNING', 'good-morning!', true],
  ['good morning', 'good, morning', true],
  ['good morning', 'morning is good', false],
  ['good morning', 'good old morning', false],
  ['good morning', 'goodmorning', false],
  ['good morning', 'good mornings', false],
  ['ood morning', 'good morning', false],
  ['東京 タワー', '東京 タワー', true],
  ['guten Morgen Welt', 'Guten Morgen, Welt', true],
])('several words hide a text in which they stand together: %s in %s', (muted, text, hides) => {
  expect(hasMuted(tweetOf(text), muted)).toBe(hides);
});

test('words and emoji in some order hide exactly the texts in which they stand together in that order, and only equal ones are one entry', () => {
  const random = randomIntFrom(SEED);
  const pieces = ['no', 'good', 'day', '👍', '👎', '👩', '👩‍🚀', '🇫🇷'];
  const draw = (most: number) =>
    Array.from({ length: random(1, most + 1) }, () => pieces[random(pieces.length)] ?? '');
  const drawn = Array.from({ length: 300 }, () => draw(3));
  for (const muted of drawn) {
    const all = draw(8);
    const stands = all.some((_, n) => isDeepStrictEqual(all.slice(n, n + muted.length), muted));
    const tweet = tweetOf(all.join(' '));
    expect({ SEED, muted, all, hides: hasMuted(tweet, muted.join(' ')) }).toEqual({
      SEED,
      muted,
      all,
      hides: stands,
    });
    for (const other of drawn.slice(0, 30)) {
      const isOne = keyOfMuted(muted.join(' ')) === keyOfMuted(other.join(' '));
      expect({ muted, other, isOne }).toEqual({ muted, other, isOne: isDeepStrictEqual(muted, other) });
    }
  }
});

test('a hashtag equals its word, also where it does not stand in the text', () => {
  for (const muted of ['stone', '#stone', '#Stone', 'STONE'])
    for (const tweet of [tweetOf('a stone'), tweetOf('#stone'), tweetOf('nothing', ['Stone'])])
      expect([muted, tweet, hasMuted(tweet, muted)]).toEqual([muted, tweet, true]);
  expect(hasMuted(tweetOf('nothing', ['stones']), 'stone')).toBe(false);
});

test('every muted text that a tweet has is among those with which it is compared, and few others are', () => {
  const phrases = [
    'good morning',
    '東京 タワー',
    'e-mail or',
    'not a w',
    'in Spain',
    'coca cola is',
    '1,000 cranes',
    "d'été",
  ];
  const muted = [...WORDS, ...phrases].map((text) => ({ text }));
  const index = new MutedTexts(muted);
  const tweets = [...TEXTS, 'A good morning to all', '東京 タワー'].map((text) => tweetOf(text));
  tweets.push(tweetOf('nothing', ['Wall']), tweetOf('nothing', ['ŁÓDŹ', 'naive']));
  let found = 0;
  let compared = 0;
  for (const tweet of tweets) {
    const among = index.among(tweet);
    const having = muted.filter(({ text }) => hasMuted(tweet, text));
    expect([tweet, having.filter((one) => !among.has(one))]).toEqual([tweet, []]);
    found += having.length;
    compared += among.size;
  }
  expect(found).toBeGreaterThan(15);
  expect(compared).toBeLessThan(2 * found);
});

test('equal texts are one entry, others are not', () => {
  expect(keyOfMuted('#Stone')).toBe(keyOfMuted(' stone '));
  expect(keyOfMuted('Good  Morning!')).toBe(keyOfMuted('good morning'));
  expect(keyOfMuted('good morning')).not.toBe(keyOfMuted('morning good'));
});

test('a text without words is refused', () => {
  for (const text of ['!', '#', 'https://example.org/a'])
    expect(() => keyOfMuted(text)).toThrow('letter, digit or emoji');
});

test('a text of too many words is refused, and the error names the argument', () => {
  const text = Array.from({ length: 33 }, (_, n) => `w${n}`).join(' ');
  const refusal = badInput('text must have at most 32 different words, but got 33.', 'input.text');
  expect(errorOf(() => keyOfMuted(text))).toEqual(refusal);
  expect(errorOf(() => keyOfMuted(text))).toMatchObject({ extensions: refusal.extensions });
});

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
