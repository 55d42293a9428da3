import { LRUCache } from 'lru-cache';
import { orderAsked, orderText } from '../../search/tokens';
import { hasWord } from '../../search/has-word';
import { hashtagTerm } from '../../search/terms';
import {
  hasHashtag,
  knownTerms,
  searchedWords,
  wordsAsked,
  type Searched,
  type Worded,
} from '../../search/words';

/** A muted text as it is looked for. */
interface Muted {
  readonly searched: Searched;
  /** Its words and emoji in their order; null if it is a single one. */
  readonly phrase: string | null;
}

/** The last muted texts. */
const lastMuted = new LRUCache<string, Muted>({ max: 10_000 });

/** Returns the words, or the phrase, that a muted text stands for. Throws `BAD_USER_INPUT` for one that has no words. */
function mutedText(text: string): Muted {
  let muted = lastMuted.get(text);
  if (muted === undefined) {
    const searched = searchedWords([text], 'input.text');
    muted = { searched, phrase: wordsAsked(text).length > 1 ? orderAsked(text) : null };
    lastMuted.set(text, muted);
  }
  return muted;
}

/** Returns the key of a muted text: texts of equal words in the same order have the same key. */
export function keyOfMuted(text: string): string {
  const { phrase, searched } = mutedText(text);
  return phrase ?? searched.words.join(' ');
}

/** Whether a tweet has a muted text: a word if search finds the tweet by it, and several words if they stand together there. */
export function hasMuted(tweet: Worded, text: string): boolean {
  const { searched, phrase } = mutedText(text);
  const terms = termsOf(tweet);
  if (!searched.terms.every((term) => terms.has(term)) && !isHashtag(tweet, searched)) return false;
  if (phrase === null) return isHashtag(tweet, searched) || searched.isFoundIn(tweet);
  return searched.isFoundIn(tweet) && hasWord(orderOf(tweet), phrase);
}

const NONE: readonly never[] = [];

/** Muted texts by terms, so that a tweet need only be compared with those that may be in it. */
export class MutedTexts<T extends { readonly text: string }> {
  private readonly byTerm = new Map<string, T[]>();

  constructor(all: readonly T[]) {
    for (const one of all) for (const term of tellingTerms(mutedText(one.text))) this.add(term, one);
  }

  /** Some of the texts, among which are all that a tweet has. */
  among(tweet: Worded): ReadonlySet<T> {
    const found = new Set<T>();
    for (const term of termsOf(tweet)) for (const one of this.byTerm.get(term) ?? NONE) found.add(one);
    return found;
  }

  private add(term: string, one: T): void {
    const having = this.byTerm.get(term);
    if (having) having.push(one);
    else this.byTerm.set(term, [one]);
  }
}

/** Returns terms of which a tweet with a muted text has at least one: the longest, which few tweets have, and the hashtag. */
function tellingTerms({ searched: { terms, words } }: Muted): string[] {
  const longest = terms.reduce((one, other) => (other.length > one.length ? other : one));
  const [word = ''] = words;
  return words.length === 1 ? [longest, hashtagTerm(word)] : [longest];
}

/** Whether a single word is a hashtag of a tweet, which may not stand in its text. */
function isHashtag(tweet: Worded, { words }: Searched): boolean {
  const [word = '', ...others] = words;
  return others.length === 0 && termsOf(tweet).has(hashtagTerm(word)) && hasHashtag(tweet, word);
}

const terms = new WeakMap<Worded, ReadonlySet<string>>();
const orders = new WeakMap<Worded, string>();

/** The terms of a tweet, found once for all muted words. */
function termsOf(tweet: Worded): ReadonlySet<string> {
  let found = terms.get(tweet);
  if (found === undefined) terms.set(tweet, (found = knownTerms(tweet)));
  return found;
}

function orderOf(tweet: Worded): string {
  let found = orders.get(tweet);
  if (found === undefined) orders.set(tweet, (found = orderText(tweet.content)));
  return found;
}
