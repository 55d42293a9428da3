import { LRUCache } from 'lru-cache';
import { badInput } from '../kit/base/errors';
import { withoutUrls } from '../tweet/urls';
import { wordSegments } from './word-segments';

/** The most words of a search. */
export const MAX_WORDS = 8;
/** The most terms of a search: one given word may be several to Unicode (`e-mail`, Japanese without spaces). */
const MAX_TERMS = 32;
/** Words are cut to this many characters, because they are partition keys, which should be short. */
const MAX_WORD_CHARACTERS = 64;
/** Texts of plain signs, which most words are, need no Unicode. */
const ASCII = /^[ -~]*$/;
/**
 * Characters that are not shown, such as soft hyphens, joiners and signs of the writing direction. A space without width (U+200B)
 * parts words, so it is not one of them.
 */
const INVISIBLE = /[^\P{Default_Ignorable_Code_Point}\u200B]/gu;
/** A hashtag or mention: it is found as a whole, even if its script has no spaces. */
const SIGNED = /^\s*[#＃@＠][\p{L}\p{M}\p{N}_]+\s*$/u;

/**
 * The words of a tweet as they are indexed: split by Unicode's rules (UAX #29, with dictionaries for scripts without
 * spaces), then folded. Hashtags and mentions are also words as a whole. Web addresses are left out.
 */
export function wordsOf({ content, hashtags, mentions }: Worded): Set<string> {
  const words = new Set<string>();
  for (const word of wordsIn(withoutUrls(content))) words.add(word);
  for (const name of [...(hashtags ?? []), ...(mentions ?? [])]) {
    words.add(fold(name));
    // Dictionaries split a name differently within a text than alone. A search without the sign has the name alone.
    for (const word of wordsIn(name)) words.add(word);
  }
  words.delete('');
  return words;
}

/** The properties of a tweet that have its words. */
export interface Worded {
  readonly content: string;
  readonly hashtags: readonly string[] | null;
  readonly mentions: readonly string[] | null;
}

/** The terms of the last searches: each search asks for them several times, to know its cost and to begin. */
const searched = new LRUCache<string, readonly string[]>({ max: 1000 });

/**
 * The terms of a search, folded, each once. Throws `BAD_USER_INPUT` unless there are 1 to 8 words, each with a letter or
 * digit, and at most 32 terms.
 */
export function searchedWords(given: readonly string[]): readonly string[] {
  const key = JSON.stringify(given);
  const known = searched.get(key);
  if (known !== undefined) return known;
  const terms = termsIn(given);
  searched.set(key, terms);
  return terms;
}

function termsIn(given: readonly string[]): readonly string[] {
  if (given.length < 1 || given.length > MAX_WORDS)
    throw badInput(`words must have 1 to ${MAX_WORDS} items, but got ${given.length}.`);
  const words = given.flatMap((text) => {
    const found = SIGNED.test(text) ? [fold(unsigned(text))].filter(Boolean) : [...wordsIn(text)];
    if (found.length === 0)
      throw badInput(
        `Each of words must have a letter or digit, but got: ${JSON.stringify(text.slice(0, 100))}`,
      );
    return found;
  });
  const terms = [...new Set(words)];
  if (terms.length > MAX_TERMS)
    throw badInput(
      `The texts in words must have at most ${MAX_TERMS} different words together, but have ${terms.length}. A text with hyphens, or in a script without spaces, is several words.`,
    );
  return terms;
}

/** A hashtag as it is compared: without its sign, folded as words are. */
export function foldedHashtag(name: string): string {
  return fold(unsigned(name));
}

/** A tweet's hashtags, folded as they are compared, each once. */
export function hashtagsIn({ hashtags }: Pick<Worded, 'hashtags'>): string[] {
  return [...new Set((hashtags ?? []).map(foldedHashtag))].filter(Boolean);
}

function unsigned(name: string): string {
  return name.trim().replace(/^[#＃@＠]/u, '');
}

function* wordsIn(text: string): Iterable<string> {
  for (const segment of wordSegments(withoutInvisible(compatible(text)))) {
    const word = fold(segment);
    if (word !== '') yield word;
  }
}

/**
 * Folds a word so that compatibility forms, case, combining marks and invisible characters do not matter (Unicode's NFKC_Casefold, and
 * without combining marks). Upper case and back folds ß to ss and the dotless ı to i, so that Turkish is found however it was typed.
 */
function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().slice(0, MAX_WORD_CHARACTERS);
  const lower = compatible(text).replaceAll('’', "'").toLowerCase().toUpperCase().toLowerCase();
  const bare = lower
    .normalize('NFD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll('ς', 'σ')
    .normalize('NFKC');
  return bare.length > MAX_WORD_CHARACTERS ? Array.from(bare).slice(0, MAX_WORD_CHARACTERS).join('') : bare;
}

/**
 * The text in Unicode's compatibility form (NFKC). Only the first 30 combining marks on a letter are kept (Stream-Safe Text Format, UAX
 * #15), because the time to order them grows with the square of their number.
 */
function compatible(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize('NFKC');
}

/** The text without characters that are not shown. Otherwise they would part words of some scripts. */
function withoutInvisible(text: string): string {
  return ASCII.test(text) ? text : text.replace(INVISIBLE, '');
}
