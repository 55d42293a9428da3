import fc from 'fast-check';
import { compareFound, compareTexts, Tier } from '../../src/features/user-search/rank-found';
import {
  foldedSearch,
  isFoundBy,
  prefixesOf,
  sortNameOf,
  startsOf,
} from '../../src/features/user-search/starts';

/** Whether somebody with a name is found by a text. */
const isFound = (name: string, text: string, username = 'u_1') => {
  const search = foldedSearch(text);
  return search !== '' && startsOf({ username, name }).some((start) => start.startsWith(search));
};

describe('finding people by the start of a name', () => {
  test.each([
    ['Ada Lovelace', 'ada', 'ADA L', 'lov', 'Ada  Love', 'ada lovelace', '@ada'],
    ['Jean-Luc Picard', 'jean-l', 'luc', 'pic', 'Jean‐Luc'],
    ["Sinéad O'Connor", 'sine', 'SINÉAD', 'o’con', 'connor'],
    ['Łukasz Żółw', 'luk', 'żół', 'zolw', 'łu'],
    ['Straße Groß', 'strass', 'STRASSE', 'gross'],
    ['Iğdır İstanbul ılgaz', 'igdir', 'ist', 'ILG', 'ılg', 'ilg'],
    ['Ｆｕｌｌ ﬁsh', 'full', 'fish', 'ｆｕ'],
    ['Иван Йовков', 'ива', 'ИВАН', 'йо'],
    ['مُحَمَّد عـلـي', 'محمد', 'محمد علي', 'علي', 'مُح'],
    ['كوثر يحيى', 'کوث', 'یحی'],
    ['山田太郎', '山', '山田', '田太', '太郎', '郎'],
    ['東京タワー 花子', 'タワ', 'たわ', '東京', '花'],
    ['김철수', '김', '김철', '김철수'],
    ['สมชาย ใจดี', 'สม', 'ชาย', 'ใจ'],
    ['राम कुमार', 'रा', 'कुमा'],
    ['Νίκος Όμηρος', 'νικ', 'ΝΊΚΟΣ', 'ομη'],
    ['Ng\u0302o e\u0301cole', 'ngo', 'école', 'ecole'],
    ['12 Monkeys', '12', '１２', 'mon'],
    ['night.World', 'night', 'world'],
  ])('%s by %s and others', (name, ...texts) => {
    for (const text of texts) expect([text, isFound(name, text)]).toEqual([text, true]);
  });

  test.each([
    ['Ada Lovelace', 'da', 'lovelacer', 'lace', 'adal', 'love ada'],
    ['Иван Йовков', 'иов', 'ван'],
    ['राम', 'म'],
    ['Straße', 'rasse'],
    ['😀', '😀', 'a'],
    ['Ada', '', ' ', '…', '@', '\u200b'],
  ])('%s not by %s and others', (name, ...texts) => {
    for (const text of texts) expect([text, isFound(name, text)]).toEqual([text, false]);
  });

  test('letters are equal to those that the collation of searches calls equal', () => {
    const collator = new Intl.Collator('und', { usage: 'search', sensitivity: 'base' });
    const words = ['Ærøskøbing', 'Đorđe', 'Çağla', 'Ñandú', 'naïve', 'Ēriks', 'ĲSSELMEER', 'Ⅷ', 'ﬀ', 'ǅ'];
    const typed = [
      'aeroskobing',
      'dorde',
      'cagla',
      'nandu',
      'naive',
      'eriks',
      'ijsselmeer',
      'viii',
      'ff',
      'dz',
    ];
    for (const [n, word] of words.entries()) {
      const text = typed[n] ?? '';
      expect([word, isFound(word, text)]).toEqual([word, collator.compare(word, text) === 0]);
    }
  });

  test('a username is found from its start only, whole as it is', () => {
    expect(isFound('x', 'ada_l', 'Ada_Lovelace')).toBe(true);
    expect(isFound('x', 'love', 'Ada_Lovelace')).toBe(false);
    expect(isFound('x', '_a', '_a_')).toBe(true);
  });

  test('whatever a name has, few rows follow from it', () => {
    const letters = Array.from({ length: 100 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
    const words = Array.from({ length: 50 }, (_, n) => String.fromCharCode(97 + (n % 26), 98 + (n % 7))).join(
      ' ',
    );
    for (const name of [
      letters,
      words,
      `${'a-'.repeat(49)}b`,
      '👨‍👩‍👧‍👦'.repeat(20),
      `x${'\u0301'.repeat(8)}`.repeat(10),
    ]) {
      const starts = startsOf({ username: 'x'.repeat(500), name });
      expect(starts.length).toBeLessThanOrEqual(9);
      for (const start of starts) expect(Array.from(start).length).toBeLessThanOrEqual(30);
      expect(prefixesOf(starts).length).toBeLessThanOrEqual(36);
      expect(Array.from(sortNameOf({ username: '', name })).length).toBeLessThanOrEqual(30);
    }
  });

  test('the order is that of tiers, then of followers among others, then of names', () => {
    const user = (userId: string, tier: Tier, rank: number, sortName: string) => ({
      ...{ userId, tier, rank, sortName, username: '', name: '' },
    });
    const sorted = [
      user('9', Tier.EXACT, 32, 'z'),
      user('8', Tier.FOLLOWED, 32, 'a'),
      user('7', Tier.FOLLOWED, 1, 'b'),
      user('6', Tier.FOLLOWER, 30, 'a'),
      user('5', Tier.FOLLOWER, 2, 'c'),
      user('4', Tier.OTHER, 3, 'z'),
      user('3', Tier.OTHER, 4, 'b'),
      user('2', Tier.OTHER, 4, 'c'),
      user('10', Tier.OTHER, 4, 'c'),
      user('1', Tier.OTHER, 4, '\u{1F600}'),
    ];
    expect([...sorted].reverse().sort(compareFound)).toEqual(sorted);
  });
});

describe('a text longer than the stored starts', () => {
  const rowOf = (name: string, username = 'u_1') => ({
    ...{ name, username },
    starts: startsOf({ name, username }).join('\n'),
  });
  const LONG = 'the quick brown foxes jump over a dog';
  const ASTRAL = '𝒶𝒷𝒸𝒹𝑒𝒻𝑔𝒽𝒾𝒿𝓀𝓁𝓂𝓃𝑜𝓅𝓆𝓇';

  test.each([
    [LONG, LONG, true],
    [LONG, 'quick brown foxes jump over a d', true],
    [LONG, `${LONG}s`, false],
    [LONG, 'the quick brown foxes jump over the', false],
    ['the quick brown foxes', 'the quick brown foxes jump over', false],
    // Beyond the basic plane a letter is two units of UTF-16, so 18 letters are longer than 30.
    ['𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓', '𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑', true],
    [ASTRAL, ASTRAL, true],
  ])('%s by %s: %s', (name, text, isFound) => {
    expect(isFoundBy(rowOf(name), foldedSearch(text))).toBe(isFound);
  });

  test('is compared with the username, too', () => {
    const username = 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn';
    expect(isFoundBy(rowOf('', username), foldedSearch(username))).toBe(true);
    expect(isFoundBy(rowOf('', username), foldedSearch(`${username.slice(0, 35)}x`))).toBe(false);
  });

  test('a start is not found within a start', () => {
    expect(isFoundBy(rowOf('Ada Lovelace'), 'ada love')).toBe(true);
    expect(isFoundBy(rowOf('Ada Lovelace'), 'da')).toBe(false);
    expect(isFoundBy(rowOf('Ada Lovelace'), '')).toBe(true);
  });
});

test('texts are compared as their bytes of UTF-8 are', () => {
  const near = fc.constantFrom(
    '',
    'a',
    'ab',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{10ffff}',
    'é',
    '山',
  );
  const text = fc.array(fc.oneof(near, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 6 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [a, b] = [one.join(''), other.join('')];
      expect(Math.sign(compareTexts(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 2000 },
  );
});
