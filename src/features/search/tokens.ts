import { SPACED_LETTER, UNSPACED_LETTER } from '../tweet/language';
import { withoutCutWord } from '../tweet/cut';
import { withoutUrls } from '../tweet/urls';
import { fold } from './fold';

/** A piece of a folded text that terms are made of. */
export interface Token {
  readonly text: string;
  /** Whether it is of a script without spaces, so that its words are not known. */
  readonly isUnspaced: boolean;
  /** The beginning and the end of the token in the folded text. */
  readonly from: number;
  readonly to: number;
}

/** A text as words are found in it. */
export interface Tokenized {
  /** The folded text without addresses, and with a sign in place of each emoji. */
  readonly folded: string;
  readonly tokens: readonly Token[];
  /** The emoji, as they are compared. */
  readonly emoji: readonly string[];
}

/**
 * Emoji (UTS #51): flags, keycaps, and pictographs with a tone of skin, tags and others that are joined to them. Pictographs are all
 * that Unicode has, or keeps room for, so that a new emoji is one on every version of Node.
 */
const PICTOGRAPH = String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?(?:[\u{E0020}-\u{E007E}]+\u{E007F})?`;
const EMOJI = new RegExp(
  String.raw`\p{RI}{1,2}|[0-9#*]\uFE0F?\u20E3|${PICTOGRAPH}(?:\u200D${PICTOGRAPH})*|\p{Emoji_Modifier}`,
  'gu',
);
/** What stands in a folded text for an emoji: it parts words as a space does, and folding leaves it. */
const PLACE_OF_EMOJI = '\0';
const UNCOMPARED = /[\uFE0E\uFE0F]|(?<=.)\p{Emoji_Modifier}/gu;

/** The signs within words: `L'école`, `night.World`, `12:30`, `e-mail`, `צה"ל`, `1,000`. */
const JOINER = String.raw`(?:['.:\-·‧]|(?<=\p{scx=Hebr})"(?=\p{scx=Hebr})|(?<=[0-9]),(?=[0-9]))`;
const WORD = String.raw`${SPACED_LETTER}+(?:${JOINER}${SPACED_LETTER}+)*`;
const TOKEN = new RegExp(`(${UNSPACED_LETTER}+)|${WORD}`, 'gv');
const ASCII_TOKEN = /[a-z0-9_]+(?:(?:['.:-]|(?<=[0-9]),(?=[0-9]))[a-z0-9_]+)*/g;
const ASCII = /^[\0-\x7f]*$/;

/** A space without width parts words, but not within a script that has no spaces: some writers put it between all words. */
const INNER_SPACE = new RegExp(String.raw`(?<=${UNSPACED_LETTER})\u200B+(?=${UNSPACED_LETTER})`, 'gv');

/** Finds the tokens of a tweet's text. Addresses and the word in which the text was cut are left out. */
export function tokenizeText(content: string): Tokenized {
  return tokenize(withoutUrls(withoutCutWord(content)));
}

/** Finds the tokens of a searched text. */
export function tokensAsked(text: string): Tokenized {
  return tokenize(withoutUrls(text));
}

/** The words and emoji of a tweet's text in their order, with one space between: see `wordsInOrder`. */
export function orderText(content: string): string {
  return wordsInOrder(withoutUrls(withoutCutWord(content)));
}

/** The same of a searched text. */
export function orderAsked(text: string): string {
  return wordsInOrder(withoutUrls(text));
}

/**
 * Returns words and emoji in their order: each part of a word that has signs within stands by itself, and emoji stand between colons, which
 * no part has.
 */
function wordsInOrder(text: string): string {
  const { folded, tokens, emoji } = tokenize(text);
  const found: string[] = [];
  let next = 0;
  const addWordsBefore = (end: number) => {
    for (let token = tokens[next]; token !== undefined && token.from < end; token = tokens[++next])
      for (const [from, to] of partBounds(token.text)) found.push(token.text.slice(from, to));
  };
  let at = -1;
  for (const one of emoji) {
    at = folded.indexOf(PLACE_OF_EMOJI, at + 1);
    addWordsBefore(at);
    found.push(`:${one}:`);
  }
  addWordsBefore(folded.length);
  return found.join(' ');
}

/** Finds the tokens of a name, in which nothing is an address. */
export function tokenizeName(name: string): Tokenized {
  return tokenize(name);
}

function tokenize(text: string): Tokenized {
  const emoji: string[] = [];
  const worded = ASCII.test(text)
    ? text
    : text.replaceAll(PLACE_OF_EMOJI, ' ').replace(EMOJI, (sequence) => {
        emoji.push(sequence.replace(UNCOMPARED, ''));
        return PLACE_OF_EMOJI;
      });
  const folded = withoutInnerSpaces(fold(worded));
  const isAscii = ASCII.test(folded);
  const tokens: Token[] = [];
  const pattern = isAscii ? ASCII_TOKEN : TOKEN;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(folded); match !== null; match = pattern.exec(folded)) {
    const { 0: token, index } = match;
    tokens.push({ text: token, isUnspaced: match[1] !== undefined, from: index, to: index + token.length });
  }
  return { folded, tokens, emoji };
}

function withoutInnerSpaces(folded: string): string {
  return folded.includes('\u200B') ? folded.replace(INNER_SPACE, '') : folded;
}

/** Matches a sign within a word. */
const JOINING = /['.:\-·‧",]/;

/** Returns the beginnings and ends of the parts of a word that has signs within. */
export function partBounds(word: string): (readonly [from: number, to: number])[] {
  if (!JOINING.test(word)) return [[0, word.length]];
  const bounds: (readonly [number, number])[] = [];
  let from = 0;
  for (let n = 0; n < word.length; n++)
    if (JOINING.test(word.charAt(n))) {
      bounds.push([from, n]);
      from = n + 1;
    }
  return [...bounds, [from, word.length]];
}

/**
 * Joins up to `max` neighbouring parts of a word that has signs within: the word whole, if it has no more parts, and each part. So
 * `Coca-Cola` is found in `Coca-Cola's`, and `can't` in `can't.Sorry`.
 */
export function splitWord(word: string, max: number): string[] {
  const bounds = partBounds(word);
  const parts: string[] = [];
  for (let length = Math.min(max, bounds.length); length > 0; length--)
    for (let n = 0; n + length <= bounds.length; n++)
      parts.push(word.slice(bounds[n]?.[0], bounds[n + length - 1]?.[1]));
  return parts;
}

/** Whether a word has signs within. */
export function hasParts(word: string): boolean {
  return JOINING.test(word);
}
