import { tokenizeText } from '../../src/features/search/tokens';
import { urlsIn } from '../../src/features/tweet/urls';
import { findHashtags, findMentions } from '../../src/write/tweet/text';

/**
 * The letters that Unicode also writes as a letter with marks, but for the syllables of Hangul, which are 11,172 of one kind, and those
 * of Todhri, which twitter-text does not know.
 */
const composed = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => (code < 0xac00 || code > 0xdfff) && (code < 0x105c0 || code > 0x105ff))
  .filter((code) => /\p{L}/u.test(String.fromCodePoint(code)))
  .map((code) => String.fromCodePoint(code).normalize('NFC'))
  .filter((letter) => /\p{M}/u.test(letter.normalize('NFD')));

/** What is found in a text, in one normal form. */
function found(text: string) {
  return {
    mentions: findMentions(text),
    hashtags: findHashtags(text).map((name) => name.normalize('NFC')),
    addresses: urlsIn(text).map(([from, to]) => text.slice(from, to).normalize('NFC')),
    words: tokenizeText(text).tokens.map((token) => token.text),
  };
}

test.each<[string, (letter: string) => string]>([
  ['a mention that goes on', (letter) => `hello @jos${letter} !`],
  ['a mention behind a letter', (letter) => `bj${letter}@ada and ${letter}n@bo`],
  ['a hashtag', (letter) => `see #caf${letter}s and ${letter}#sky, #${letter}`],
  ['a word that was cut', (letter) => `see voil${letter}…`],
  ['a path', (letter) => `see https://example.com/caf${letter}/menu-list now`],
  ['a host', (letter) => `see caf${letter}.com/menu, caf${letter}www.example.com`],
  ['scripts that meet', (letter) => `東${letter}京 x${letter}ไ${letter}`],
])('a text says the same with composed letters as with letters and marks: %s', (_name, write) => {
  expect(composed.length).toBeGreaterThan(900);
  const differing = composed.filter((letter) => {
    const text = write(letter);
    const [nfc, nfd] = ['NFC', 'NFD'].map((form) => JSON.stringify(found(text.normalize(form))));
    return nfc !== nfd;
  });
  expect(differing).toEqual([]);
});
