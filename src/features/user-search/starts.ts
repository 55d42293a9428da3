import { fold } from '../search/fold';
import { partBounds, tokenizeName } from '../search/tokens';
import { MAX_START_CHARACTERS, MAX_STARTS } from './user-search.table';

/** How many characters a prefix has at most that finds people among all. */
export const MAX_PREFIX_CHARACTERS = 4;

/** The names by which people are found. */
interface Named {
  readonly username: string;
  readonly name: string;
}

/** A name as searches compare it: its words, folded, with one space between those that stand apart. */
interface Words {
  readonly text: string;
  /** The beginnings of words in it. In scripts without spaces each letter may begin one. */
  readonly begins: readonly number[];
}

/**
 * Returns the starts by which a search finds a user, each cut to 30 characters: the username, and the name from each of its words on, of
 * which the first eight count. A word that has signs within has several: `Jean-Luc` and `Luc`.
 */
export function startsOf({ username, name }: Named): string[] {
  const { text, begins } = wordsIn(name);
  const ofName = begins.slice(0, MAX_STARTS).map((from) => cut(text.slice(from)));
  return [...new Set([cut(fold(username)), ...ofName])].filter((start) => start !== '');
}

/** Folds the text that people type to find somebody, as starts are compared; empty if it has no letter or digit. */
export function foldedSearch(text: string): string {
  const bare = text.trim().replace(/^[@＠]/u, '');
  // A username may have signs that are in no word.
  return /^[A-Za-z0-9_]+$/.test(bare) ? bare.toLowerCase() : wordsIn(bare).text;
}

/** Whether a search, as it is compared, finds a user. What is longer than the stored starts is compared with the names themselves. */
export function isFoundBy(user: Named & { readonly starts: string }, search: string): boolean {
  // A search of thousands of rows compares each of them, so that must take a moment only.
  const starts = `\n${user.starts}`;
  if (search.length <= MAX_START_CHARACTERS) return starts.includes(`\n${search}`);
  if (!starts.includes(`\n${cut(search)}`)) return false;
  const { text, begins } = wordsIn(user.name);
  return (
    fold(user.username).startsWith(search) ||
    begins.slice(0, MAX_STARTS).some((from) => text.startsWith(search, from))
  );
}

/** The prefixes of a user's starts, each once. */
export function prefixesOf(starts: readonly string[]): string[] {
  const prefixes = starts.flatMap((start) => {
    const letters = Array.from(start).slice(0, MAX_PREFIX_CHARACTERS);
    return letters.map((_, n) => letters.slice(0, n + 1).join(''));
  });
  return [...new Set(prefixes)];
}

/** The name of a user, as lists of people are sorted by it. */
export function sortNameOf({ name }: Named): string {
  return cut(wordsIn(name).text);
}

function wordsIn(name: string): Words {
  let text = '';
  let end = 0;
  const begins: number[] = [];
  for (const token of tokenizeName(name).tokens) {
    if (text !== '' && token.from > end) text += ' ';
    const from = text.length;
    if (token.isUnspaced) {
      for (
        let at = 0;
        at < token.text.length;
        at += String.fromCodePoint(token.text.codePointAt(at) ?? 0).length
      )
        begins.push(from + at);
    } else {
      for (const [at] of partBounds(token.text)) begins.push(from + at);
    }
    text += token.text;
    end = token.to;
  }
  return { text, begins };
}

function cut(text: string): string {
  return text.length > MAX_START_CHARACTERS ? Array.from(text).slice(0, MAX_START_CHARACTERS).join('') : text;
}
