import { LRUCache } from 'lru-cache';
import { SPACED_LETTER } from '../tweet/language';

/**
 * A folded text as words are looked for in it: letters of scripts with spaces that stand together are one piece, each other character is
 * one by itself. So a word stands in a text if its pieces do, one after another.
 */
type Pieces = readonly string[];

const PIECE = new RegExp(`${SPACED_LETTER}+|.`, 'gsv');

/** A word, or several with one space between, as it is looked for. */
export interface Sought {
  readonly pieces: Pieces;
  /** For each number of its first pieces, from 1: with how many of them they also end, but for all. */
  readonly borders: readonly number[];
}

/** The most pieces that are kept of the last texts, and of the last words: some 8 MB of each. A tweet is compared with all words of a viewer before the next one. */
const MAX_KEPT_PIECES = 200_000;

/** The last texts and words: a page compares each of its texts with the same words, which may be hundreds. */
const lastTexts = new LRUCache<string, Pieces>({
  maxSize: MAX_KEPT_PIECES,
  sizeCalculation: (pieces, folded) => sizeOf(pieces, folded),
  memoMethod: (folded) => folded.match(PIECE) ?? [],
});
const lastWords = new LRUCache<string, Sought>({
  maxSize: MAX_KEPT_PIECES,
  sizeCalculation: ({ pieces }, word) => sizeOf(pieces, word),
  memoMethod: (word) => seek(word.match(PIECE) ?? []),
});

/** Counts a piece for each, and one for each 16 characters of the text itself, which may be one long piece. */
function sizeOf({ length }: Pieces, text: string): number {
  return 10 + length + Math.ceil(text.length / 16);
}

/** Whether a folded text has a word, or several with one space between: letters of scripts with spaces must not go on before or behind it. */
export function hasWord(folded: string, word: string): boolean {
  return hasPieces(lastTexts.memo(folded), lastWords.memo(word));
}

/** Prepares pieces to be looked for. */
export function seek(pieces: Pieces): Sought {
  const borders: number[] = [];
  for (const [n, piece] of pieces.entries())
    borders.push(n === 0 ? 0 : advance({ pieces, borders }, borders[n - 1] ?? 0, piece));
  return { pieces, borders };
}

/**
 * Whether pieces stand in others, one after another. The time grows with the number of both, whatever they repeat (Knuth, Morris and Pratt,
 * 1977). That of `indexOf` may grow with the product of the lengths.
 */
export function hasPieces(all: Pieces, sought: Sought): boolean {
  const { length } = sought.pieces;
  let found = 0;
  for (const piece of all) {
    found = advance(sought, found, piece);
    if (found === length) return true;
  }
  return length === 0;
}

/** How many of the pieces others end with, if they ended with `before` of them before the last one. */
function advance({ pieces, borders }: Sought, before: number, last: string): number {
  let found = before;
  while (found > 0 && pieces[found] !== last) found = borders[found - 1] ?? 0;
  return pieces[found] === last ? found + 1 : found;
}
