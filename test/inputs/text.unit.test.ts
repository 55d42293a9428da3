import { checkedText, written } from '../../src/kit/input/input-text';

const BOUNDS = written(500, 4000);
const check = (text: string) => checkedText('text', text, BOUNDS);

/** Letters with as many marks as their scripts put on one, written out, and signs of several parts. */
const honest: Readonly<Record<string, string>> = {
  'Vietnamese, decomposed': 'Tiếng Việt có dấu chữ ữ ệ ỗ'.normalize('NFD'),
  Hindi: 'हिन्दी में क्ष्म्य और र्त्स्न्यि',
  Thai: 'ที่นี่น้ำใจเปี่ยมล้น',
  Lao: 'ຄົ້ນຫາຂໍ້ມູນ',
  Khmer: 'ស្ត្រីខ្មែរ ក្រ្តុំ',
  Burmese: 'မြန်မာ ကြွေး သျှောင်း',
  'Tibetan, the tallest stack': 'ཧྐྵྨླྺྼྻྂ',
  'Hebrew with points and accents': 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים שִּׁ֔֗',
  'Arabic with all signs': 'ٱلرَّحْمَـٰنِ ٱلرَّحِيمِ ٱللَّٰهُ',
  Syriac: 'ܐܰܒ̈ܳܗܳܬ݂ܳܐ',
  'Tamil and Malayalam': 'க்ஷ்மீ ക്ഷ്ത്ര്യ',
  'Sinhala and Bengali': 'ශ්‍රී ක්‍ෂ ক্ষ্ম্য র্য',
  Yoruba: 'ọ̀rọ̀ ẹ̀kọ́'.normalize('NFD'),
  'International Phonetic Alphabet': 't̪͡s̪ʰ ɛ̃̀ː k͡p̚ ɪ̤̋̽',
  'Korean in jamo': '한국어'.normalize('NFD'),
  Balinese: 'ᬅᬓ᭄ᬲᬭᬩᬮᬶ',
  'Devanagari of the Vedas': 'अ॒ग्निमी᳚ळे पु॒रोहि॑तं᳡',
  'families, flags and keycaps': '👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏳️‍🌈 👩🏽‍❤️‍💋‍👨🏿 7️⃣ 🇺🇳',
  'dots and strokes of mathematics': 'x̄̂ ẋ̈ a⃗̇ ∑̸',
};

test.each(Object.entries(honest))('%s is a text', (_what, text) => {
  expect(check(text)).toBe(text);
  for (const form of ['NFC', 'NFD'] as const) expect(check(text.normalize(form))).toBe(text.normalize(form));
});

const nine = '\u0301\u0316\u0323\u0308\u0301\u0316\u0323\u0308\u0301';
test.each([
  ['nine marks on a letter', `Z${nine}`],
  ['marks with joiners between them', `Z${Array.from(nine).join('\u200D')}`],
  ['marks with signs of direction between them', `Z${Array.from(nine).join('\u200E\u2060')}`],
  ['enclosing marks', `a${'\u20DD'.repeat(9)}`],
  ['signs of vowels', `क${'\u093E'.repeat(9)}`],
  ['marks on nothing', nine],
  ['selectors of variants', `❤${'\uFE0F'.repeat(9)}`],
])('%s are too many', (_what, text) => {
  expect(() => check(`before ${text} behind`)).toThrow(
    'text must have at most 8 marks on a letter, but has more.',
  );
});

test.each([
  ['bytes', 'x'.repeat(4001), 'text must be at most 4000 bytes of UTF-8, but got 4001.'],
  ['bytes', '語'.repeat(1334), 'text must be at most 4000 bytes of UTF-8, but got 4002.'],
  ['graphemes', 'x'.repeat(501), 'text must be at most 500 graphemes, but got 501.'],
])('a text has at most so many %s', (_what, text, message) => {
  expect(() => check(text)).toThrow(message);
});

test('characters are counted as UTF-16 code units, and the message says so', () => {
  expect(() => checkedText('input.body', '😀'.repeat(5001), written(3000, 40_000))).toThrow(
    'body must be at most 10000 characters (UTF-16 code units), but got 10002.',
  );
});

test('the bounds of a text follow from its graphemes and bytes', () => {
  expect(written(50, 1000)).toEqual({ maxGraphemes: 50, maxLength: 1000, maxBytes: 1000 });
  expect(written(5000, 45_000)).toEqual({ maxGraphemes: 5000, maxLength: 15_000, maxBytes: 45_000 });
  expect(written(500, 100_000).maxLength).toBe(10_000);
});
