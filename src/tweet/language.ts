/** Tells the language of a text, BCP 47; `und` where there is too little to tell it by. */
export type LanguageOf = (text: string) => string;

/** The languages that Twitter itself tells apart: a detector of more finds Klingon in laughter. */
const only = (
  'am ar bg bn bs ca cs cy da de el en es et eu fa fi fr gu he hi hr hu hy id is it ja ka km kn ko lo lt lv ' +
  'ml mr ms my ne nl no or pa pl ps pt ro ru sk sl so sq sr sv ta te th tl tr uk ur uz vi zh'
).split(' ');
const MIN_CONFIDENCE = 0.1;
/** Characters of a text by which its language is told: each takes some 20 microseconds. */
const MAX_DETECTED_CHARACTERS = 1000;

/**
 * A detector for the languages of short texts. Its profiles take tens of megabytes, so they are loaded only by
 * whoever reads tweets, and then once.
 */
export async function loadLanguageOf(): Promise<LanguageOf> {
  const { detectAll } = await import('tinyld');
  return (text) => {
    const words = wordsOf(text).slice(0, MAX_DETECTED_CHARACTERS);
    const [best] = words.length < 2 ? [] : detectAll(words, { only });
    if (best === undefined || best.accuracy < MIN_CONFIDENCE) return 'und';
    // As who asks for it is understood: its `tl` is `fil`.
    return languageNamed(best.lang) ?? 'und';
  };
}

/** The bounds of a BCP 47 tag: as long as its own specification says that one may be (RFC 5646, 4.4.1). */
export const LANGUAGE_BOUNDS = { maxLength: 35 };

/** The language that a source names, as BCP 47 writes it now (`iw` is `he`); undefined where it names none. */
export function languageNamed(tag: string | undefined): string | undefined {
  if (tag === undefined || !/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(tag)) return undefined;
  // Twitter's own codes such as `qme` (media only) lie in the range that ISO 639 leaves to private use.
  if (/^(q[a-t][a-z]|zxx)$/i.test(tag)) return 'und';
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** What is left of a tweet without links, mentions, hashtags, entities, digits, signs and emoji. */
function wordsOf(text: string): string {
  return text
    .replace(/https?:\/\/\S+|[@＠#＃][\p{L}\p{N}\p{M}_]+|&[a-z]+;/giu, ' ')
    .replace(/[^\p{L}\p{M}'’]+/gu, ' ')
    .trim();
}
