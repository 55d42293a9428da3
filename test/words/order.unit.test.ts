import { orderText, tokenizeText } from '../../src/features/search/tokens';
import { randomIntFrom } from '../support/random-int';

/** Printed when a test fails. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

const WORDS: readonly (readonly [text: string, order: string])[] = [
  ['ё', 'е'],
  ['STRASSE', 'strasse'],
  ['Coca-Cola’s', 'coca cola s'],
  ['東京', '東京'],
  ['カ\u3099ΑΣ', 'ガ ασ'],
  ['\u0301x\u0301', 'x'],
  ['ไ\u200Bท', 'ไท'],
  ['1,000', '1 000'],
];
const EMOJI: readonly (readonly [text: string, order: string])[] = [
  ['😀', ':😀:'],
  ['❤\uFE0F', ':❤:'],
  ['👍🏽', ':👍:'],
  ['👩🏽‍💻', ':👩‍💻:'],
  ['🇩🇪', ':🇩🇪:'],
  ['1\uFE0F\u20E3', ':1⃣:'],
];
/** What parts words, and is neither a word nor an emoji, such as what stands for an emoji while the words are found. */
const SIGNS = [' ', '\n', '\0', '…!', ' \0\0 '].map((text) => [text, ''] as const);

test('words and emoji stand in their order, whatever stands between them', () => {
  const random = randomIntFrom(SEED);
  for (let n = 0; n < 5000; n++) {
    const drawn: (readonly [string, string])[] = [];
    for (let length = random(1, 20); length > 0; length--) {
      const kinds =
        drawn.length > 0 && WORDS.includes(drawn.at(-1) ?? ['', '']) ? [EMOJI, SIGNS] : [EMOJI, SIGNS, WORDS];
      const some = kinds[random(kinds.length)] ?? [];
      drawn.push(some[random(some.length)] ?? ['', '']);
    }
    const text = drawn.map(([one]) => one).join('');
    const order = drawn.flatMap(([, one]) => (one === '' ? [] : [one])).join(' ');
    expect({ SEED, text, order: orderText(text) }).toEqual({ SEED, text, order });
  }
});

test('a text is folded as often to find the order of its words as to find these, however many emoji are between them', () => {
  const normalize = jest.spyOn(String.prototype, 'normalize');
  try {
    for (const parts of ['ё😀', '東🇩🇪x', 'ё1\uFE0F\u20E3 e\u0301👩🏽‍💻'])
      for (const length of [1, 100, 200, 400]) {
        const calls = [tokenizeText, orderText].map((read) => {
          normalize.mockClear();
          read(parts.repeat(length));
          return normalize.mock.calls.length;
        });
        expect([parts, length, calls]).toEqual([parts, length, [2, 2]]);
      }
  } finally {
    normalize.mockRestore();
  }
});
