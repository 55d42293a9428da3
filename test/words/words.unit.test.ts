import { randomFrom } from '../../src/kit/base/random';
import { joinTerms, requireBounded, splitTerms } from '../../src/kit/postings/entry';
import { MAX_ENTRY_BYTES, MAX_ENTRY_TERMS } from '../../src/kit/postings/postings.table';
import { hasMuted } from '../../src/features/hidden/sight/muted-words';
import { hashtagList } from '../../src/features/search/connect-terms';
import { foldedHashtag, hashtagTerm } from '../../src/features/search/terms';
import { orderText } from '../../src/features/search/tokens';
import { searchedWords, findTweetTerms } from '../../src/features/search/words';
import { findHashtags, findMentions } from '../../src/write/tweet/text';

/** The words by which a text is found, sorted. */
function wordsOf(content: string): string[] {
  return findTweetTerms({ content, hashtags: null }).sort();
}

/** Whether a text is found by words, or by a hashtag. */
function isFound(
  content: string,
  asked: { readonly words?: readonly string[]; readonly hashtag?: string },
): boolean {
  const tweet = { content, hashtags: findHashtags(content), mentions: findMentions(content) };
  const has = new Set(findTweetTerms(tweet));
  const { terms, isFoundIn } =
    asked.hashtag !== undefined
      ? hashtagList(foldedHashtag(asked.hashtag))
      : searchedWords(asked.words ?? []);
  return terms.every((term) => has.has(term)) && isFoundIn(tweet);
}

test.each([
  ['upper case and ß', 'Die STRASSE, die Straße', ['die', 'strasse']],
  ['Turkish i, with dot and without', 'İSTANBUL ISPARTA ılık', ['istanbul', 'isparta', 'ilik']],
  ['accents, composed and not', 'Crème brûle\u0301e', ['creme', 'brulee']],
  ['Arabic with its vowels', 'مُحَمَّد، كتب', ['محمد', 'كتب']],
  ['Hebrew', 'שָׁלוֹם לכל', ['שלום', 'לכל']],
  ['Korean, whose syllables stay', '한국어', ['한국어']],
  ['Greek with a final sigma', 'ΟΔΟΣ οδός', ['οδοσ']],
  ['Cyrillic: ё is е, й is no и', 'ЁЖ йод', ['еж', 'йод']],
  ['ligatures and wide forms', 'ﬁne ｆｕｌｌ', ['fine', 'full']],
  ['an apostrophe of any form', 'don’t don`t DON´T donʼt', ["don't", 'don', 't']],
  ['numbers and single letters', 'a 1 3.50 1,000', ['a', '1', '3.50', '3', '50', '1,000', '000']],
  ['digits of any script', '١٢ १२ ๑๒ 𝟏𝟐', ['12']],
  [
    'characters that are not shown: a soft hyphen, joiners, signs of direction, a byte order mark',
    '\uFEFFhy\u00ADphen wo\u2060rd \u200Fשלון\u200F \u202Bעולן\u202C می\u200Cخواهم \u200E한국\u200F',
    ['hyphen', 'word', 'שלונ', 'עולנ', 'ميخواهم', '한국'],
  ],
  ['a hyphen, also the one that does not break', 'e-mail E\u2011Mail', ['e-mail', 'e', 'mail']],
  ['parts together', "Coca-Cola's", ["coca-cola's", 'coca-cola', "cola's", 'coca', 'cola', 's']],
  [
    'a missing space after a sentence',
    "can't.Sorry",
    ["can't.sorry", "can't", 't.sorry', 'can', 't', 'sorry'],
  ],
  ['signs at an end, or several, which part', "'tis rock--n x...y a:", ['tis', 'rock', 'n', 'x', 'y', 'a']],
  ['entities, which stay as they are', 'a &amp; b', ['a', 'amp', 'b']],
  ['addresses, which are none', 'see https://t.co/Abc and example.com/x?y=z now', ['see', 'and', 'now']],
  ['more addresses', 'ftp://a.b/c WWW.Example.ORG http://localhost:3000/night x', ['x']],
  [
    'what is no address',
    'and/or 5/2 a@b.org Mr.Nobody/s',
    ['and', 'or', '5', '2', 'a', 'b.org', 'b', 'org', 'mr.nobody', 'mr', 'nobody', 's'],
  ],
  ['signs, which are none', '… !? — ・ 、', []],
  ['hashtags and mentions', 'go #Foo_Bar @Baz', ['go', 'foo_bar', 'baz']],
  [
    'emoji',
    '💥❤️ 👍🏽👍 👩🏽‍💻 🇩🇪🇫🇷 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 x😀y ☎︎',
    ['💥', '❤', '👍', '👩‍💻', '🇩🇪', '🇫🇷', '1⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'x', '😀', 'y', '☎'],
  ],
  ['scripts without spaces: letters and pairs of them', '東京タ', ['東', '京', 'タ', '東京', '京タ']],
  [
    'a space without width, which only parts words of other scripts',
    'ສະ\u200Bບາ a\u200Bb',
    ['ສ', 'ະ', 'ບ', 'າ', 'ສະ', 'ະບ', 'ບາ', 'a', 'b'],
  ],
  ['scripts that meet', 'Xは5G', ['x', 'ハ', '5g']],
  ['a text that was cut', 'the sky of #Murmu…', ['the', 'sky', 'of']],
  ['the same with the address of the whole', 'the sky ov… https://t.co/Abc1 ', ['the', 'sky']],
  ['the same with an address that was cut, too', 'the sky ov… https://t.co/Ab…', ['the', 'sky']],
  ['the same in quotes, and within a part', "“L'éco…”", ['l']],
  ['an ellipsis in the middle, or after a space', 'wait… what …', ['wait', 'what']],
])('the words of a tweet: %s', (_name, content, words) => {
  expect(wordsOf(content)).toEqual([...words].sort());
});

test.each([
  ...['night', 'WORLD', 'peace', 'night.world'].map((word) => ['Good night.World peace now', word, true]),
  ['I have finished.Now what', 'finished', true],
  ['What a great.Life is short', 'great', true],
  ['Thanks.Next', 'thanks', true],
  ['Thanks.Next', 'next', true],
  ['see example.com/night now', 'night', false],
  ['see http://example.technology/night now', 'night', false],
  ['see www.example.com/night now', 'example', false],
  ["L'école est fermée", 'école', true],
  ["L'école est fermée", 'ecole', true],
  ['La statue d’airain', 'airain', true],
  ["la commedia dell'arte", 'arte', true],
  ["J'adore Paris", 'adore', true],
  ["aujourd'hui il pleut", "aujourd'hui", true],
  ["aujourd'hui il pleut", 'aujourd’hui', true],
  ["Kenya's coast", 'kenya', true],
  ["I can't.Sorry", "can't", true],
  ["the Coca-Cola's taste", 'coca-cola', true],
  ['a-b-c-d-e-f', 'b-c-d-e-f', true],
  ['a-b-c-d-x c-d-e-f', 'a-b-c-d-e-f', false],
  ['दिल से लिखा', 'दल', false],
  ['दाल खाओ', 'दिल', false],
  ['दिल से लिखा', 'दिल', true],
  ['ख़ुशबू', 'खुशबू', true],
  ['பால் குடி', 'பல்', false],
  ['ปีใหม่', 'ปู', false],
  ['ปีใหม่', 'ใหม่', true],
  ['น้ำ', 'นา', false],
  ['นํ้า', 'น้ำ', true],
  ['ភាសាខ្មែរ', 'ខ្មែរ', true],
  ['မြန်မာနိုင်ငံ', 'နိုင်ငံ', true],
  ['Łódź jest piękna', 'Lodz', true],
  ['Lodz', 'Łódź', true],
  ['Đường phố Hà Nội', 'duong', true],
  ['Smørrebrød i København', 'kobenhavn', true],
  ['Ægir, œuvre, Ħal', 'aegir', true],
  ['Ægir, œuvre, Ħal', 'OEUVRE', true],
  ['Ægir, œuvre, Ħal', 'hal', true],
  ['una col·lecció', 'colleccio', true],
  ['una collecció', 'coŀlecció', true],
  ['мой', 'мои', false],
  ['ёлка', 'елка', true],
  ['їжак', 'іжак', true],
  ['مـــرحبا بكم', 'مرحبا', true],
  ['مرحبا بكم', 'مـرحبا', true],
  ['كتاب علي', 'کتاب', true],
  ['كتاب علي', 'علی', true],
  ['Menthasはニュースキュレーションサイトです', 'ニュース', true],
  ['Menthasはニュースキュレーションサイトです', 'キュレーション', true],
  ['Menthasはニュースキュレーションサイトです', 'Menthas', true],
  ['Menthasはニュースキュレーションサイトです', 'レース', false],
  ['ﾆｭｰｽ', 'ニュース', true],
  ['東京タワーに行った', 'タワー', true],
  ['大阪城公園を歩く', '大阪', true],
  ['南京市长江大桥', '南京', true],
  ['南京市长江大桥', '京市长江', true],
  ['他在北京大学生活动中心', '北京大学', true],
  ['外国人参政権', '外国人', true],
  ['京都と東京', '東京都', false],
  ['東京と京都', '東京都', false],
  ['猫が好き', '猫', true],
  ['がんばる', 'かんはる', false],
  ['がんばる', 'ガンバル', true],
  ['平成30年', '平成30年', true],
  ['平成30年', '30', true],
  ['平成130年', '平成30年', false],
  ['平成 30 年', '平成30年', false],
  ['ประเทศไทยสวย', 'ไทย', true],
  ['so happy 👍🏿', '👍', true],
  ['so happy ❤', '❤️', true],
  ['👩‍💻', '👩', false],
  ['Q2️⃣', '2️⃣', true],
  ['go #Foo_Bar', '#foo_bar', true],
  ['go #Foo_Bar', 'foo_bar', true],
  ['hi @Baz', '@baz', true],
  ['hi Baz', '@baz', true],
  ['#今日は東京', '#今日は東京', true],
  ['#今日は東京', '東京', true],
] as [string, string, boolean][])('of %j, the word %j is found: %j', (content, word, found) => {
  expect(isFound(content, { words: [word] })).toBe(found);
});

test.each([
  ['আমার #বাংলা', 'বল', false],
  ['আমার #বাংলা', 'বাংলা', true],
  ['w #Łódź', 'lodz', true],
  ['w #lodz', '#ŁÓDŹ', true],
  ['يوم #جمعـــة', 'جمعة', true],
  ['#ニュース', 'にゅーす', true],
  ['#がく', 'かく', false],
] as [string, string, boolean][])('of %j, the hashtag %j is found: %j', (content, hashtag, found) => {
  expect(isFound(content, { hashtag })).toBe(found);
});

test.each([
  [' Straße ', ['strasse']],
  ['\u200Eshown\u200F', ['shown']],
  ['a\u200Bspace', ['a', 'space']],
  ['to be', ['to', 'be']],
  ['ニュース', ['ニュ', 'ース']],
  ['北京大', ['北京', '京大']],
])('the terms that %j asks for', (word, terms) => {
  expect(searchedWords([word]).terms).toEqual(terms);
});

test.each(['', ' ', '!?', '…', '#', '\u3164', '\u2800', '\u0301', 'https://example.com/x', '\u200D'])(
  'nothing to search for: %j',
  (word) => {
    expect(() => searchedWords(['word', word])).toThrow(/must have a letter, digit or emoji/);
  },
);

test('eight words of any script ask for at most 32 terms', () => {
  const words = Array.from({ length: 8 }, (_, n) => '東京都大阪府南京市長江大橋北海道'.slice(n));
  expect(searchedWords(words).terms.length).toBeLessThanOrEqual(32);
  expect(() => searchedWords([Array.from({ length: 33 }, (_, n) => `w${n}`).join(' ')])).toThrow(
    /at most 32 different/,
  );
});

test('words and hashtags of any length are different if their folded letters are', () => {
  expect([...wordsOf(`${'x'.repeat(64)}a`)]).toEqual(['x'.repeat(64)]);
  // A letter of one unit, one of two, and one that folds to two.
  for (const letter of ['x', '\u{10428}', 'Ǣ']) {
    const names = [31, 32, 33, 63, 64, 65, 200].flatMap((length) =>
      ['', 'a', 'A', 'b'].map((end) => letter.repeat(length) + end),
    );
    for (const name of names)
      for (const other of names) {
        const isEqual = name.toLowerCase() === other.toLowerCase();
        const tweet = `see #${name}`;
        const isMuted = hasMuted({ content: 'nothing', hashtags: [name] }, other);
        const found = [{ words: [other] }, { words: [`#${other}`] }, { hashtag: other }].map((asked) =>
          isFound(tweet, asked),
        );
        const expected = { found: [isEqual, isEqual, isEqual], isMuted: isEqual };
        expect({ name, other, found, isMuted }).toEqual({ name, other, ...expected });
      }
  }
});

test('a tweet has at most 512 terms: hashtags and words first, letters by themselves last', () => {
  const letters = Array.from({ length: 600 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
  const terms = findTweetTerms({ content: `${letters} word #tag`, hashtags: ['tag'] });
  expect(terms).toHaveLength(MAX_ENTRY_TERMS);
  expect(terms.slice(0, 3)).toEqual(['#tag', 'tag', 'word']);
  expect(terms.filter((term) => Array.from(term).length === 1)).toEqual([]);
  expect(
    findTweetTerms({ content: Array.from({ length: 600 }, (_, n) => `w${n}`).join(' '), hashtags: null }),
  ).toHaveLength(512);
});

test('a hashtag or mention is found with and without its sign, whatever follows it', () => {
  const ends = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((one) => /[^\p{L}\p{M}]/u.test(one) && /[\p{L}\p{N}_]/u.test(one.normalize('NFKD')));
  expect(ends.length).toBeGreaterThan(1500);
  const missed: string[] = [];
  const names = ['CO', 'Łódź', '東京', 'x'.repeat(70)];
  for (const [n, end] of ends.entries()) {
    const text = `#${names[n % names.length]}${end} and @Ada${end}x`;
    for (const found of [findHashtags(text)[0], findMentions(text)[0]])
      if (found !== undefined)
        for (const word of [found, `#${found}`, `@${found}`, found.toUpperCase()])
          if (!isFound(text, { words: [word] })) missed.push(`${word} in ${text}`);
  }
  expect(missed).toEqual([]);
  // What is behind it is found with it, too.
  for (const word of ['#CO₂', 'co2', 'CO', 'km²', 'km', 'ada', 'ada™'])
    expect([word, isFound('less #CO₂ a #km², says @ada™', { words: [word] })]).toEqual([word, true]);
});

test('a hashtag of any length is found', () => {
  for (const length of [62, 63, 64, 65, 200]) {
    const hashtag = 'x'.repeat(length);
    expect([length, isFound(`see #${hashtag}`, { hashtag })]).toEqual([length, true]);
  }
});

/** Letters of one to four bytes of UTF-8, one that is 33 bytes when it is folded, and what stands between and within words. */
const LETTERS = ['a', 'ж', 'क', '中', 'ﷺ', '\u{10428}', '\u{20000}', '👩', '\u0301', '.', '-', "'", ' '];

test('no text and no hashtags have more than 512 terms or 16,384 bytes of them', () => {
  const random = randomFrom(38);
  const draw = (some: readonly string[], length: number) =>
    Array.from({ length }, () => some[Math.floor(random() * some.length)] ?? '').join('');
  for (let n = 0; n < 62; n++) {
    const some = LETTERS.filter(() => random() < 0.4);
    const hashtags = Array.from({ length: n % 31 }, () => draw(LETTERS.slice(0, 7), 1 + random() * 150));
    const terms = findTweetTerms({ content: draw(some, random() * 10_000), hashtags });
    requireBounded({ rank: 0, id: '1', terms });
    expect(splitTerms(joinTerms(terms))).toEqual(terms);
    const tags = new Set(hashtags.map((name) => hashtagTerm(foldedHashtag(name))));
    tags.delete('#');
    expect(terms.slice(0, tags.size)).toEqual([...tags]);
  }
  const long = Array.from({ length: 200 }, (_, n) => `${n}${'\u{10428}'.repeat(60)}`).join(' ');
  const terms = findTweetTerms({ content: long, hashtags: null });
  expect(terms).toHaveLength(Math.floor(MAX_ENTRY_BYTES / 243));
});

test.each([
  ['spaces', 'a '.repeat(200_000)],
  ['one word', 'x'.repeat(400_000)],
  ['parts', 'a.'.repeat(200_000)],
  ['letters without spaces', '\u{20000}'.repeat(100_000)],
  ['marks on one letter', `e${'\u0301\u0316'.repeat(100_000)}`],
  ['marks that stay', `क${'\u093E'.repeat(100_000)}`],
  ['marks of which some have no category of marks', '\uFF9E\u0301'.repeat(200_000)],
  ['the same behind letters', `ﾊ${'\u0316\uFF9F'.repeat(200_000)}`],
  ['marks between which others are removed', `${'\u3099\u094D'.repeat(15)}\u00AD`.repeat(15_000)],
  ['signs of cuts', '… '.repeat(100_000)],
  ['beginnings of addresses', 'www.a/b://'.repeat(40_000)],
  ['hosts of which no end is seen', `${'www.漢'.repeat(80_000)}"`],
  ['hosts with marks, of which no end is seen', `${'Www.क\u093E'.repeat(60_000)}、`],
  ['addresses of hosts of which no end is seen', `${'www.漢 a://漢www.漢'.repeat(20_000)}«`],
  ['addresses with scripts without spaces', 'https://a.co/漢'.repeat(30_000)],
  ['addresses before a cut', `${'a://b '.repeat(60_000)}…`],
  ['hosts with many labels', 'a.'.repeat(200_000)],
  ['signs of names', '#@#1@a'.repeat(60_000)],
  ['emoji', '👩‍'.repeat(100_000)],
])('a text of any length is read in time: %s', (_name, content) => {
  // In quadratic time, each of them would take minutes.
  expect(wordsOf(content).length).toBeLessThanOrEqual(MAX_ENTRY_TERMS);
  const names = `${content} #a @a`;
  expect(findHashtags(names).length).toBeLessThanOrEqual(30);
  expect(findMentions(names).length).toBeLessThanOrEqual(30);
  expect(orderText(content)).not.toContain('  ');
});

test.each([['a', 'b\nc'], ['']])(
  'an entry has no term that its text could not tell from others: %j',
  (...terms) => {
    expect(() => {
      requireBounded({ rank: 0, id: '1', terms });
    }).toThrow('A term must have letters and no line break');
  },
);
