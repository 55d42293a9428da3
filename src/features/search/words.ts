import { LRUCache } from 'lru-cache';
import { badArgument } from '../../kit/base/errors';
import { limitTurns } from '../../kit/base/per-turn';
import type { Load } from '../../kit/reads/load';
import { SPACED_LETTER } from '../tweet/language';
import { fold } from './fold';
import { hasWord } from './has-word';
import { collectTerms, foldedHashtag, hashtagTerm, mayBeCut, termsFor } from './terms';
import { tokensAsked, tokenizeName, tokenizeText, type Token } from './tokens';

/** The most words of a search. */
export const MAX_WORDS = 8;
/** The most terms of a search, and different words: one given text may be several words. */
const MAX_TERMS = 32;
/** The most terms by which one word is looked for. */
const MAX_TERMS_OF_WORD = 4;

/** The properties of a tweet that have its words. */
export interface Worded {
  readonly content: string;
  readonly hashtags: readonly string[] | null;
  readonly mentions?: readonly string[] | null;
}

/** A tweet's hashtags, folded as they are compared, each once. */
export function hashtagsIn({ hashtags }: Pick<Worded, 'hashtags'>): string[] {
  return [...new Set((hashtags ?? []).map(foldedHashtag))].filter(Boolean);
}

/** Whether a tweet that has the term of a hashtag, given as it is compared, has the hashtag. */
export function hasHashtag(tweet: Pick<Worded, 'hashtags'>, name: string): boolean {
  return !mayBeCut(name) || hashtagsIn(tweet).includes(name);
}

/**
 * Returns a tweet's hashtags and mentions, folded. In its text, a word may go on behind them: `#CO₂` has the hashtag `CO`, but the word
 * `co2`, and `@ada™` the word `adatm`.
 */
function namesIn(tweet: Worded): string[] {
  return [...hashtagsIn(tweet), ...(tweet.mentions ?? []).map(fold)];
}

/** The terms by which a tweet is found: its hashtags with their sign, and the words of these, of its mentions and of its text. */
export function findTweetTerms(tweet: Worded): string[] {
  const { tokens, emoji } = tokenizeText(tweet.content);
  const named = namesIn(tweet).flatMap((name) => tokenizeName(name).tokens);
  return collectTerms(hashtagsIn(tweet).map(hashtagTerm), { tokens: [...named, ...tokens], emoji });
}

/**
 * The terms of the last tweets, up to 40 KB each, roughly measured: a new one is indexed, published and looked at by all subscriptions of a
 * server at about the same time, and one in many timelines is compared with the muted words of their readers.
 */
const lastTerms = new LRUCache<string, ReadonlySet<string>>({
  maxSize: 8 * 1024 ** 2,
  sizeCalculation: ({ size }, text) => 200 + 2 * text.length + 64 * size,
});

/** The same, computed once for all who ask for the terms of a tweet at about the same time. */
export function knownTerms(tweet: Worded): ReadonlySet<string> {
  const key =
    [tweet.hashtags, tweet.mentions].map((names) => `${(names ?? []).join(' ')}\n`).join('') + tweet.content;
  let terms = lastTerms.get(key);
  if (terms === undefined) lastTerms.set(key, (terms = new Set(findTweetTerms(tweet))));
  return terms;
}

/** The words and terms of a search. */
export interface Searched {
  /** The terms that a tweet must have. */
  readonly terms: readonly string[];
  /** The words, folded, each once. They tell a list of tweets from others. */
  readonly words: readonly string[];
  /** Whether a tweet has what the terms tell only that it may have. */
  isFoundIn(this: void, tweet: Worded): boolean;
  /** The same in a turn of the event loop that has time for it, if that takes a look at the text. `load` is that of the request. */
  lookIn(this: void, tweet: Worded, load: Pick<Load, 'within'>): boolean | Promise<boolean>;
}

/**
 * Waits for a turn of the event loop that has time to look for words in a text of so many characters: 10,000 take up to 25 ms, and a request
 * may have thousands of such texts.
 */
export const waitToLook = limitTurns(8192);

/** The last searches: each is asked for several times, to know its cost and to begin. */
const lastSearches = new LRUCache<string, Searched>({ max: 1000 });

/**
 * Returns the search for some words. Throws `BAD_USER_INPUT` unless there are 1 to 8 texts, each with a letter, digit or emoji, and at most
 * 32 words together. The message names the wrong text, by the `argument` that gives it if there is only one.
 */
export function searchedWords(given: readonly string[], argument?: string): Searched {
  const key = JSON.stringify(given);
  const known = lastSearches.get(key);
  if (known !== undefined) return known;
  const searched = searchFor(given, argument);
  lastSearches.set(key, searched);
  return searched;
}

/** A word that is searched: tokens that stand together without a space, such as a number and the name of its unit in Japanese. */
interface AskedWord {
  readonly text: string;
  readonly tokens: readonly Token[];
}

function searchFor(given: readonly string[], argument?: string): Searched {
  if (given.length < 1 || given.length > MAX_WORDS)
    throw badArgument('words', `must have 1 to ${MAX_WORDS} items, but got ${given.length}.`);
  const words = new Map<string, AskedWord>();
  for (const [n, text] of given.entries()) {
    const found = wordsAsked(text);
    if (found.length === 0)
      throw badArgument(
        argument ?? `words[${n}]`,
        `must have a letter, digit or emoji that is not part of a web address, but got: ${JSON.stringify(text.slice(0, 100))}`,
      );
    for (const word of found) words.set(word.text, word);
  }
  if (words.size > MAX_TERMS)
    throw badArgument(
      argument ?? 'words',
      `must have at most ${MAX_TERMS} different words${argument === undefined ? ' together' : ''}, but got ${words.size}.`,
    );
  const maxTerms = Math.min(MAX_TERMS_OF_WORD, Math.floor(MAX_TERMS / words.size));
  const terms = new Set<string>();
  const unsure: string[] = [];
  for (const word of words.values()) {
    const { chosen, isExact } = choose(word, maxTerms);
    for (const term of chosen) terms.add(term);
    if (!isExact) unsure.push(word.text);
  }
  const isFoundIn = (tweet: Worded) => {
    if (unsure.length === 0) return true;
    const folded = foldText(tweet);
    return unsure.every((word) => hasWord(folded, word));
  };
  const lookIn = (tweet: Worded, load: Pick<Load, 'within'>) =>
    unsure.length === 0 || waitToLook(tweet.content.length, load).then(() => isFoundIn(tweet));
  return { terms: [...terms], words: [...words.keys()], isFoundIn, lookIn };
}

const foldedTexts = new WeakMap<object, string>();

/** The folded text and names of a tweet. Each field of a request that finds the tweet looks into it, so it is folded once. */
function foldText(tweet: Worded): string {
  const folded = foldedTexts.get(tweet) ?? [tokenizeText(tweet.content).folded, ...namesIn(tweet)].join('\n');
  foldedTexts.set(tweet, folded);
  return folded;
}

/** The words and emoji of a searched text: first the words in their order, then the emoji, also those that come again. */
export function wordsAsked(text: string): AskedWord[] {
  const { tokens, emoji, folded } = tokensAsked(text.trim().replace(/^[#＃@＠](?=[^\uFE0F\u20E3])/u, ''));
  const words: Token[][] = [];
  for (const token of tokens) {
    const last = words.at(-1);
    if (last?.at(-1)?.to === token.from) last.push(token);
    else words.push([token]);
  }
  return [
    ...words.map((ofWord) => ({ text: folded.slice(ofWord[0]?.from, ofWord.at(-1)?.to), tokens: ofWord })),
    ...emoji.map((one) => ({ text: one, tokens: [] })),
  ];
}

/** Chooses the terms by which a word is looked for. */
function choose({ text, tokens }: AskedWord, max: number) {
  if (tokens.length === 0) return { chosen: [text], isExact: true };
  const found = tokens.map(termsFor);
  const all = [...new Set(found.flatMap(({ terms }) => terms))];
  // Letters by themselves are in many tweets, and terms of long tweets may lack them.
  const isLetter = (term: string) => /^.$/u.test(term) && UNSPACED.test(term);
  const telling = all.filter((term) => !isLetter(term));
  const candidates = telling.length > 0 ? telling : all;
  const step = Math.max(1, (candidates.length - 1) / Math.max(1, max - 1));
  const chosen =
    candidates.length <= max
      ? candidates
      : Array.from({ length: max }, (_, n) => candidates[Math.round(n * step)] ?? text);
  return { chosen, isExact: tokens.length === 1 && found[0]?.isExact === true };
}

const UNSPACED = new RegExp(`^[^${SPACED_LETTER}]`, 'v');
