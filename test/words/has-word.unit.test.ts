import { hasPieces, hasWord, seek } from '../../src/features/search/has-word';
import { SPACED_LETTER } from '../../src/features/tweet/language';
import { randomIntFrom } from '../support/random-int';

/** Printed when a test fails. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

const BEGINS_SPACED = new RegExp(`^${SPACED_LETTER}`, 'v');
const ENDS_SPACED = new RegExp(`${SPACED_LETTER}$`, 'v');

/** Whether a text has a word, by what the words say: it stands somewhere, and no letter of a script with spaces goes on at its ends. */
function standsIn(text: string, word: string): boolean {
  return Array.from({ length: text.length }, (_, at) => at).some(
    (at) =>
      text.startsWith(word, at) &&
      !(BEGINS_SPACED.test(word) && ENDS_SPACED.test(text.slice(0, at))) &&
      !(ENDS_SPACED.test(word) && BEGINS_SPACED.test(text.slice(at + word.length))),
  );
}

test('a word stands in a text if no letter of a script with spaces goes on before or behind it, whatever repeats in both', () => {
  const random = randomIntFrom(SEED);
  const all = ['i', 'i', 'x', '東', '京', ' ', '.', '-', '\u{10428}', '\u{20000}', '\u3099', 'ι', ':', '😀'];
  const draw = (some: readonly string[], most: number) =>
    Array.from({ length: random(1, most + 1) }, () => some[random(some.length)] ?? '').join('');
  let found = 0;
  for (let n = 0; n < 20_000; n++) {
    const some = Array.from({ length: random(1, 5) }, () => all[random(all.length)] ?? '');
    const part = draw(some, 4);
    const text = draw([part, part, ...some], 12);
    const from = Array.from(text).slice(random(4));
    const word = n % 2 === 0 ? draw([part, part, ...some], 4) : from.slice(0, random(1, 9)).join('');
    if (word === '') continue;
    const stands = standsIn(text, word);
    if (stands) found++;
    expect({ SEED, text, word, has: hasWord(text, word) }).toEqual({ SEED, text, word, has: stands });
  }
  expect(found).toBeGreaterThan(4000);
});

/** Words and texts, some thousand characters of both for a length of 1, whose parts stand at many places, but never the word. */
const REPEATING: [string, (length: number) => { readonly text: string; readonly word: string }][] = [
  ['one run of letters', (n) => ({ text: 'i'.repeat(4000 * n), word: 'i'.repeat(1000 * n) })],
  ['runs', (n) => ({ text: 'i '.repeat(2000 * n), word: `${'i '.repeat(500 * n)}x` })],
  ['the first one differs', (n) => ({ text: 'i '.repeat(2000 * n), word: `x${' i'.repeat(500 * n)}` })],
  [
    'one in the middle differs',
    (n) => ({ text: 'i '.repeat(2000 * n), word: `${'i '.repeat(250 * n)}x${' i'.repeat(250 * n)}` }),
  ],
  [
    'a letter goes on behind',
    (n) => ({ text: '東京xy'.repeat(1000 * n), word: `${'東京xy'.repeat(250 * n)}東京x` }),
  ],
  ['scripts without spaces', (n) => ({ text: '東'.repeat(4000 * n), word: `${'東'.repeat(1000 * n)}京` })],
  ['names', (n) => ({ text: 'a\nb\n'.repeat(1000 * n), word: `${'a\nb\n'.repeat(250 * n)}b` })],
];

test.each(REPEATING)(
  'a word of any length is looked for in a text of any length in time: %s',
  (_name, of) => {
    // In quadratic time, the first takes minutes, and two others take seconds.
    const { text, word } = of(100);
    expect(hasWord(text, word)).toBe(false);
    expect(hasWord(`${text} ${word} `, word)).toBe(true);
  },
);

test('each piece of a text is compared with few pieces of a word, however long both are', () => {
  for (const [name, of] of REPEATING)
    for (const length of [1, 2, 4]) {
      const [text, word] = Object.values(of(length)).map((one) => one.match(/[a-z]+|[^a-z]/gu) ?? []);
      let compared = 0;
      const count = <T extends object>(all: T) =>
        new Proxy(all, {
          get(target, key) {
            if (/^\d+$/.test(String(key))) compared++;
            return Reflect.get(target, key) as unknown;
          },
        });
      const { pieces, borders } = seek(word ?? []);
      expect(hasPieces(text ?? [], { pieces: count(pieces), borders })).toBe(false);
      expect([name, length, compared <= 4 * (text ?? []).length]).toEqual([name, length, true]);
    }
});
