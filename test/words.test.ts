import fc from 'fast-check';
import { extractHashtags } from 'twitter-text';
import { wordSegments } from '../src/search/word-segments';
import { searchedWords, wordsOf } from '../src/search/words';
import { hashtagsOf, mentionsOf } from '../src/write/tweet/text';

test.each([
  ['upper case and ß', 'Die STRASSE, die Straße', ['die', 'strasse']],
  ['Turkish i, with dot and without', 'İSTANBUL ISPARTA ılık', ['istanbul', 'isparta', 'ilik']],
  ['accents, composed and not', 'Crème brûle\u0301e', ['creme', 'brulee']],
  ['Arabic with its vowels', 'مُحَمَّد، كتب', ['محمد', 'كتب']],
  ['Hebrew', 'שָׁלוֹם עולם', ['שלום', 'עולם']],
  ['Japanese, which has no spaces', '今日は東京', ['今日', 'は', '東京']],
  ['Chinese', '我们', ['我们']],
  ['Korean, whose syllables stay', '한국어', ['한국어']],
  ['Greek with a final sigma', 'ΟΔΟΣ οδός', ['οδοσ']],
  ['Cyrillic', 'ЁЖ', ['еж']],
  ['ligatures and wide forms', 'ﬁne ｆｕｌｌ', ['fine', 'full']],
  ['an apostrophe of either form', "don’t don't", ["don't"]],
  ['numbers and single letters', 'a 1 3.50', ['a', '1', '3.50']],
  [
    'characters that are not shown: a soft hyphen, joiners, signs of direction, a byte order mark',
    '\uFEFFhy\u00ADphen wo\u2060rd \u200Fשלום\u200F \u202Bעולם\u202C می\u200Cخواهم \u200E한국\u200F 東\u200E京',
    ['hyphen', 'word', 'שלום', 'עולם', 'میخواهم', '한국', '東京'],
  ],
  ['a hyphen, which parts', 'e-mail', ['e', 'mail']],
  ['entities, which stay as they are', 'a &amp; b', ['a', 'amp', 'b']],
  ['addresses, which are none', 'see https://t.co/Abc and example.com/x?y=z now', ['see', 'and', 'now']],
  ['signs and emoji, which are none', '💥 … !? — ❤️', []],
  ['hashtags and mentions', 'go #Foo_Bar @Baz', ['go', 'foo_bar', 'baz']],
  [
    'a hashtag whose script has no spaces, whole and in parts',
    '#今日は東京',
    ['今日', 'は', '東京', '今日は東京'],
  ],
])('the words of a tweet: %s', (_name, content, words) => {
  const tweet = { content, hashtags: hashtagsOf(content), mentions: mentionsOf(content) };
  expect([...wordsOf(tweet)].sort()).toEqual([...words].sort());
});

test.each([
  ['#Foo_Bar', ['foo_bar']],
  ['@BAZ', ['baz']],
  ['＃今日は東京', ['今日は東京']],
  ['今日は東京', ['今日', 'は', '東京']],
  [' Straße ', ['strasse']],
  ['\u200Eshown\u200F', ['shown']],
  ['한국\u200E', ['한국']],
  ['a\u200Bspace', ['a', 'space']],
  ['e-mail', ['e', 'mail']],
])('the words that %j asks for', (word, words) => {
  expect(searchedWords([word])).toEqual(words);
});

test('a name is found without its sign wherever it stands', () => {
  for (const name of ['今日は東京', 'İstanbul', 'صباح_الخير', 'foo_bar']) {
    const content = `の#${name} x`;
    const found = wordsOf({ content, hashtags: [name], mentions: null });
    for (const word of [...searchedWords([name]), ...searchedWords([`#${name}`])])
      expect([name, word, found.has(word)]).toEqual([name, word, true]);
  }
});

test('a word of any length is found by all of it', () => {
  const long = 'x'.repeat(5000);
  const found = wordsOf({ content: long, hashtags: null, mentions: null });
  expect([...found]).toEqual(searchedWords([long]));
  expect([...found][0]).toHaveLength(64);
});

/** Letters of scripts with spaces and without, signs that part words and that do not, marks, joiners and emoji. */
const bits = [
  ...[' ', '  ', '\n', '\r\n', '\t', '\u00a0', '\u2028', '\u200b', '\u3000'],
  ...Array.from('!#$%&()*+/<=>?@[\\]^`{|}~-\'".,:;_0129abzÉßи、。「」…·’々〜ー٣،'),
  ...[
    '日',
    '本',
    '東京',
    'は',
    'ます',
    'ア',
    'ﾞ',
    'สวัสดี',
    'ครับ',
    'า',
    'ကို',
    'မြန်',
    'ខ្មែរ',
    'ລາວ',
    '한',
    'ᄀ',
    'ᅡ',
    'שָׁ',
    'ع',
  ],
  ...[
    '\u0301',
    '\u200d',
    '\u200c',
    '\u00ad',
    '\u2060',
    '\ufe0f',
    '\u20e3',
    '👩',
    '🏽',
    '🇩',
    '🇪',
    '\u{20000}',
    'İ',
    'ﷺ',
  ],
];

test('a text is cut into words as if it were not cut into pieces', () => {
  const whole = new Intl.Segmenter('und', { granularity: 'word' });
  const bit = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...bits) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
  );
  const withoutSpaces = fc.constantFrom(...bits.filter((one) => /^[\p{L}\p{M}、。]+$/u.test(one)));
  const text = fc.oneof(
    fc.array(bit, { minLength: 100, maxLength: 1000, size: 'max' }),
    fc.array(withoutSpaces, { minLength: 100, maxLength: 1000, size: 'max' }),
  );
  fc.assert(
    fc.property(text, (some) => {
      const given = some.join('').normalize('NFKC');
      const words = [...whole.segment(given)].flatMap(({ segment, isWordLike }) =>
        isWordLike ? [segment] : [],
      );
      expect([...wordSegments(given)]).toEqual(words);
    }),
    { numRuns: 500 },
  );
});

test('a text of any length, with spaces or without, is cut in time', () => {
  expect([...wordSegments('a '.repeat(200_000))]).toHaveLength(200_000);
  const surrogates = [...wordSegments('\u{1D400}'.repeat(100_001))];
  expect(surrogates.join('')).toBe('\u{1D400}'.repeat(100_001));
  expect(surrogates.every((word) => word.length <= 10_000 && !/\p{Surrogate}/u.test(word))).toBe(true);
});

test('an address is none of the words, also in a long text without spaces', () => {
  const content = `${'東京、'.repeat(200)}https://t.co/Abc。${'東京、'.repeat(200)}`;
  expect([...wordsOf({ content, hashtags: null, mentions: null })]).toEqual(['東京']);
});

test('of marks on one letter thousands are taken in time', () => {
  const content = `e${'\u0301\u0316'.repeat(5000)}x .${'\u0301'.repeat(5000)}`;
  expect([...wordsOf({ content, hashtags: null, mentions: null })]).toEqual(['ex']);
});

test('the hashtags of a text are those that twitter-text finds, which is slow for long runs', () => {
  const parts = [
    '#',
    '＃',
    'a',
    'é',
    '中',
    ' ',
    '\n',
    '.',
    '/',
    ':',
    '&',
    '_',
    '1',
    'http://',
    't.co',
    'x.com/y',
    '#b',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (chosen) => {
      const text = chosen.join('');
      expect([text, hashtagsOf(text)]).toEqual([text, [...new Set(extractHashtags(text))]]);
    }),
    { numRuns: 5000 },
  );
});
