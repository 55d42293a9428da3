import { MAX_ENTRY_TERMS } from '../../kit/postings/postings.table';
import { MAX_ENTRY_BYTES } from '../../kit/postings/postings.table';
import { fold } from './fold';
import { hasParts, partBounds, splitWord, type Token, type Tokenized } from './tokens';

/** The most parts of a word that are one term together. */
const MAX_PARTS = 4;
/** Terms are cut to this many characters, because they are keys, which should be short: see `MAX_TERM_BYTES`. */
const MAX_TERM_CHARACTERS = 64;

/** A term, cut to its greatest length. */
function cutTerm(text: string): string {
  return text.length > MAX_TERM_CHARACTERS ? Array.from(text).slice(0, MAX_TERM_CHARACTERS).join('') : text;
}

/** A hashtag as it is compared: without its sign, folded as words are. */
export function foldedHashtag(name: string): string {
  return fold(name.trim().replace(/^[#＃@＠]/u, ''));
}

/** Returns the term of a hashtag, given as it is compared. No word has the sign. */
export function hashtagTerm(name: string): string {
  return `#${cutTerm(name)}`;
}

/** Whether the term of a word or hashtag may be cut, so that it is also the term of others that begin alike. */
export function mayBeCut(name: string): boolean {
  return name.length >= MAX_TERM_CHARACTERS && Array.from(name).length >= MAX_TERM_CHARACTERS;
}

/** Collects terms, each once, as many as an entry may have. */
class Terms {
  readonly all = new Set<string>();
  private bytes = 0;

  get isFull(): boolean {
    return this.all.size >= MAX_ENTRY_TERMS || this.bytes >= MAX_ENTRY_BYTES;
  }

  /** Adds a term of the text, cut to its greatest length. */
  addOfText(text: string): void {
    this.add(cutTerm(text));
  }

  add(term: string): void {
    if (this.isFull || this.all.has(term)) return;
    this.bytes += Buffer.byteLength(term);
    if (this.bytes <= MAX_ENTRY_BYTES) this.all.add(term);
  }
}

/**
 * Collects the terms of a text after some others that come first, at most 512 and 16,384 bytes of UTF-8: words whole and in parts, emoji,
 * and for scripts without spaces all pairs of neighbouring letters and the letters. Terms beyond that are not found: letters by themselves
 * are left out first.
 */
export function collectTerms(
  first: readonly string[],
  { tokens, emoji }: Pick<Tokenized, 'tokens' | 'emoji'>,
): string[] {
  const terms = new Terms();
  for (const term of first) terms.add(term);
  const runs: string[][] = [];
  for (const { text, isUnspaced } of tokens) {
    if (terms.isFull) break;
    if (isUnspaced) runs.push(Array.from(text));
    else if (!hasParts(text)) terms.addOfText(text);
    else for (const part of splitWord(text, MAX_PARTS)) terms.addOfText(part);
  }
  for (const one of emoji) terms.addOfText(one);
  for (const run of runs) for (let n = 1; n < run.length; n++) terms.addOfText(`${run[n - 1]}${run[n]}`);
  for (const run of runs) for (const letter of run) terms.addOfText(letter);
  return [...terms.all];
}

/**
 * Returns some terms of a token: every text with the token has them, and the most telling one is first. `isExact` says whether the token is
 * in every text that has them.
 */
export function termsFor({ text, isUnspaced }: Token): {
  readonly terms: readonly string[];
  readonly isExact: boolean;
} {
  if (isUnspaced) {
    const letters = Array.from(text);
    if (letters.length === 1) return { terms: [text], isExact: true };
    // Every other pair has all letters; the last pair may overlap.
    const starts = coveringStarts(letters.length, 2);
    return { terms: starts.map((n) => `${letters[n]}${letters[n + 1]}`), isExact: letters.length === 2 };
  }
  const parts = partBounds(text);
  const width = Math.min(MAX_PARTS, parts.length);
  const terms = coveringStarts(parts.length, width).map((n) =>
    cutTerm(text.slice(parts[n]?.[0], parts[n + width - 1]?.[1])),
  );
  return { terms, isExact: terms.length === 1 && terms[0] === text && !mayBeCut(text) };
}

/** Returns the starts of windows of `width` that cover `length` places, the last one at its end. */
function coveringStarts(length: number, width: number): number[] {
  const starts: number[] = [];
  for (let n = 0; n + width < length; n += width) starts.push(n);
  return [...starts, length - width];
}
