import registered from 'language-subtag-registry/data/json/language.json';

/** Detects the language of a text, as a BCP 47 tag; `und` if the text is too short or unclear. */
export type DetectLanguage = (text: string) => string;

/** The languages that Twitter itself detects: a detector of more languages finds Klingon in laughter. */
const DETECTED_LANGUAGES = (
  'am ar bg bn bs ca cs cy da de el en es et eu fa fi fr gu he hi hr hu hy id is it ja ka km kn ko lo lt lv ' +
  'ml mr ms my ne nl no or pa pl ps pt ro ru sk sl so sq sr sv ta te th tl tr uk ur uz vi zh'
).split(' ');
const MIN_CONFIDENCE = 0.1;
/** How many characters of a text are looked at: each takes some 20 microseconds. */
const MAX_DETECTED_CHARACTERS = 1000;

/** Loads a language detector for short texts, on the first call only: that takes a moment and tens of megabytes. */
export async function loadDetector(): Promise<DetectLanguage> {
  const { detectAll } = await import('tinyld');
  return (text) => {
    const words = keepWords(text).slice(0, MAX_DETECTED_CHARACTERS);
    const [best] = words.length < 2 ? [] : detectAll(words, { only: DETECTED_LANGUAGES });
    if (best === undefined || best.accuracy < MIN_CONFIDENCE) return 'und';
    // The canonical tag, as for languages that callers name: the detector's `tl` is `fil`.
    return languageNamed(best.lang) ?? 'und';
  };
}

/** The bounds of a BCP 47 tag: the length that its specification recommends to support (RFC 5646, 4.4.1). */
export const LANGUAGE_BOUNDS = { maxLength: 35 };

/** Whether a text has the form of a BCP 47 tag, with `-` or `_` between its parts. */
export function isLanguageTag(tag: string): boolean {
  return canonicalTag(tag) !== undefined;
}

/**
 * The language of a BCP 47 tag, as the primary subtag that IANA has registered for it: `he` for `iw`, `en` for `en-GB`, `und` for unknown.
 * Undefined if it is no tag of a registered language.
 */
export function languageNamed(tag: string | undefined): string | undefined {
  const [primary = ''] = (tag === undefined ? undefined : canonicalTag(tag))?.split('-') ?? [];
  // Twitter's own codes, such as `qme` (media only), are in the range that ISO 639 leaves to private use.
  if (/^(q[a-t][a-z]|zxx)$/.test(primary)) return 'und';
  return Object.hasOwn(registered, primary) ? primary : undefined;
}

function canonicalTag(tag: string): string | undefined {
  if (!/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(tag)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** The text of a tweet without links, mentions, hashtags, entities, digits, punctuation and emoji, in the normal form that detectors learn. */
function keepWords(text: string): string {
  return limitMarks(text)
    .normalize('NFC')
    .replace(/https?:\/\/\S+|[@＠#＃][\p{L}\p{N}\p{M}_]+|&[a-z]+;/giu, ' ')
    .replace(/[^\p{L}\p{M}'’]+/gu, ' ')
    .trim();
}

/**
 * Scripts whose texts have no spaces between words: those of East Asia, and those for which Unicode's line breaking needs a dictionary
 * (UAX #14, class SA). Javanese and Balinese are written without spaces, too.
 */
const UNSPACED = [
  ...['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Yi', 'Nushu', 'Tangut', 'Khitan_Small_Script'],
  ...['Thai', 'Lao', 'Khmer', 'Myanmar', 'Tai_Le', 'New_Tai_Lue', 'Tai_Tham', 'Tai_Viet', 'Ahom'],
  ...['Javanese', 'Balinese'],
].map((script) => String.raw`\p{scx=${script}}`);

/**
 * Accents, such as U+0301: Unicode names Tai Le, Thai or Katakana among the scripts that use them, but they stand on letters of Latin,
 * Greek and Cyrillic, whose composed forms are letters of these. The voiced marks of kana (U+3099) are none.
 */
const ACCENTS = String.raw`[\p{M}&&[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}]]`;

const LETTERS = String.raw`[\p{L}\p{M}\p{N}]`;
const OF_UNSPACED = `[[${UNSPACED.join('')}]--${ACCENTS}]`;

/** A letter, mark or digit of a script without spaces, as it stands in a regular expression with the flag `v`. */
export const UNSPACED_LETTER = `[${LETTERS}&&${OF_UNSPACED}]`;

/** A letter, mark or digit of any other script, or `_`: what words between spaces consist of. */
export const SPACED_LETTER = `[[${LETTERS}_]--${OF_UNSPACED}]`;

/** Marks of voiced kana have no category of marks if they are of half width, but are such marks in compatibility forms. */
const MARK = String.raw`[\p{M}\uFF9E\uFF9F]`;
const MARKS_BEYOND_30 = new RegExp(`(${MARK}{30})${MARK}+`, 'gu');

/**
 * A text with at most 30 marks on a letter (Stream-Safe Text Format, UAX #15), to be normalized: the time to order marks grows with the
 * square of their number.
 */
export function limitMarks(text: string): string {
  return text.replace(MARKS_BEYOND_30, '$1');
}
