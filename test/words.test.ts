import { searchedWords, wordsOf } from '../src/search/words';
import { hashtagsOf, mentionsOf } from '../src/tweet/text';

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
