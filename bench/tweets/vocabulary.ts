/** How many words the language has; the more tweets there are, the more of its words they use. */
const WORDS = 1_000_000;
/** Mandelbrot's constant. With this value the most common word is in 40 % of tweets of twelve words. */
const OFFSET = 0.8;

/**
 * Draws the rank of a word as in natural text; 1 is the most common. The r-th word has a frequency of about 1/(r + 0.8)
 * (the law of Zipf and Mandelbrot).
 */
export function drawRank(random: () => number): number {
  const start = 0.5 + OFFSET;
  const stretched = start * ((WORDS + start) / start) ** random();
  return Math.max(1, Math.round(stretched - OFFSET));
}

/** Draws a rank between `from` and `to`, both included, with equal probability. */
export function rankAmong(from: number, to: number, random: () => number): number {
  return from + Math.floor(random() * (to - from + 1));
}

const consonants = Array.from('bcdfghjklmnprstvwxz');
const vowels = Array.from('aeiou');
const syllables = consonants.flatMap((consonant) => vowels.map((vowel) => consonant + vowel));

/** The word of a rank: syllables of plain letters, which every tokenizer takes for one word. Common words are short. */
export function wordAt(rank: number): string {
  let word = '';
  for (let rest = rank; rest > 0; rest = Math.floor((rest - 1) / syllables.length))
    word = (syllables[(rest - 1) % syllables.length] ?? '') + word;
  return word;
}

/** The hashtag of a rank, without its sign. No word is the same as a hashtag. */
export function hashtagAt(rank: number): string {
  return `${wordAt(rank)}q`;
}

/** How many hashtags there are. */
const HASHTAGS = 20_000;

/** Draws the rank of a hashtag, by Zipf's law with exponent 1. */
export function drawHashtag(random: () => number): number {
  return Math.max(1, Math.round(0.5 * (2 * HASHTAGS + 1) ** random()));
}

/** How many words there are of which no tweet has two. */
const LONELY_WORDS = 10;
/** One in this many tweets has such a word, so each is in 2 % of the tweets. */
const LONELY_ONE_IN = 5;

/** The n-th of the words that never stand together, counted from 0. It is no other word and no hashtag. */
function lonelyWordAt(n: number): string {
  return `${wordAt(n + 1)}w`;
}

/** The word of a tweet that stands with no other of its kind, if the n-th tweet has one. */
export function lonelyWordsOf(n: number): string[] {
  return n % LONELY_ONE_IN === 0 ? [lonelyWordAt((n / LONELY_ONE_IN) % LONELY_WORDS)] : [];
}

/** Draws two different words, each of which is in 2 % of the tweets, but both in none. */
export function drawLonelyPair(random: () => number): [string, string] {
  const first = Math.floor(random() * LONELY_WORDS);
  const second = (first + rankAmong(1, LONELY_WORDS - 1, random)) % LONELY_WORDS;
  return [lonelyWordAt(first), lonelyWordAt(second)];
}
