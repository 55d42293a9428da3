import { extractUrlsWithIndices } from 'twitter-text';
import { badInput } from '../kit/base/errors';
import { wordSegments } from './segment';

/** The most words of a search. */
export const MAX_WORDS = 8;
/** A word may be several to Unicode (`e-mail`, Japanese without spaces): so many of these are looked for. */
const MAX_TERMS = 32;
/** Characters after which words are told apart no more: a key of a partition is short. */
const MAX_WORD_CHARACTERS = 64;
/** A hashtag or mention: found as a whole, though its script has no spaces. */
const SIGNED = /^\s*[#＃@＠][\p{L}\p{M}\p{N}_]+\s*$/u;

/**
 * The words of a tweet, as they are searched for: split by Unicode's rules (UAX #29, with dictionaries for scripts
 * without spaces), folded. Hashtags and mentions are words as a whole, too; addresses of the web are none.
 */
export function wordsOf({ content, hashtags, mentions }: Worded): Set<string> {
  const words = new Set<string>();
  for (const word of wordsIn(withoutUrls(content))) words.add(word);
  for (const name of [...(hashtags ?? []), ...(mentions ?? [])]) {
    words.add(fold(name));
    // Dictionaries cut a name by what stands around it: who looks for it without sign has it by itself.
    for (const word of wordsIn(name)) words.add(word);
  }
  words.delete('');
  return words;
}

/** What the words of a tweet are made of. */
export interface Worded {
  readonly content: string;
  readonly hashtags: readonly string[] | null;
  readonly mentions: readonly string[] | null;
}

/** The words that a search asks for; `BAD_USER_INPUT` unless there are 1 to 8, and each has something to search for. */
export function searchedWords(given: readonly string[]): string[] {
  if (given.length < 1 || given.length > MAX_WORDS)
    throw badInput(`Give 1 to ${MAX_WORDS} words, but got ${given.length}.`);
  const words = given.flatMap((text) => {
    const found = SIGNED.test(text) ? [fold(unsigned(text))].filter(Boolean) : [...wordsIn(text)];
    if (found.length === 0)
      throw badInput(
        `Each of words must hold a letter or digit, but got: ${JSON.stringify(text.slice(0, 100))}`,
      );
    return found;
  });
  const terms = [...new Set(words)];
  if (terms.length > MAX_TERMS)
    throw badInput(`words must be at most ${MAX_TERMS} words in all, but got ${terms.length}.`);
  return terms;
}

/** A hashtag as it is compared: without its sign, folded as words are. */
export function foldedHashtag(name: string): string {
  return fold(unsigned(name));
}

function unsigned(name: string): string {
  return name.trim().replace(/^[#＃@＠]/u, '');
}

function* wordsIn(text: string): Iterable<string> {
  for (const segment of wordSegments(compatible(text))) {
    const word = fold(segment);
    if (word !== '') yield word;
  }
}

/**
 * Compatibility forms, case and marks aside (Unicode NFKC and full case folding): upper case and back folds ß to ss and the
 * dotless ı to i, so that Turkish is found however it was typed.
 */
function fold(text: string): string {
  const lower = compatible(text).replaceAll('’', "'").toLowerCase().toUpperCase().toLowerCase();
  const bare = lower.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ς', 'σ').normalize('NFKC');
  return bare.length > MAX_WORD_CHARACTERS ? Array.from(bare).slice(0, MAX_WORD_CHARACTERS).join('') : bare;
}

/**
 * The text in Unicode's compatibility form. Of marks on one letter the first 30 count (Stream-Safe Text Format, UAX #15):
 * to order thousands takes the square of their number.
 */
function compatible(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize('NFKC');
}

/** Characters without a space among which an address of any script is looked for: as many as a name of a host may have. */
const MAX_HOST_CHARACTERS = 253;

/**
 * A text without addresses. To look for them takes the square of the length of what has no space, so in what is longer
 * than a host they are looked for in ASCII only.
 */
function withoutUrls(text: string): string {
  if (!text.includes('.')) return text;
  return text.replace(/[^ \n\t]+/g, (run) =>
    run.length <= MAX_HOST_CHARACTERS ? withoutUrlsIn(run) : run.replace(/[!-~]+/g, withoutUrlsIn),
  );
}

function withoutUrlsIn(text: string): string {
  if (!text.includes('.')) return text;
  let kept = '';
  let from = 0;
  for (const { indices } of extractUrlsWithIndices(text)) {
    kept += `${text.slice(from, indices[0])} `;
    from = indices[1];
  }
  return kept + text.slice(from);
}
