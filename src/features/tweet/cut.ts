import { SPACED_LETTER } from './language';
import { blankUrls } from './urls';

/**
 * Matches what may stand behind the ellipsis of a cut, besides addresses: closing signs, and invisible characters, such as marks of the
 * direction.
 */
const BEHIND = /[…\s\p{Pe}\p{Pf}\p{Default_Ignorable_Code_Point}"']/u;
/** Matches the letters before the ellipsis that were cut, with invisible characters. */
const CUT_LETTER = new RegExp(String.raw`^[${SPACED_LETTER}\p{Default_Ignorable_Code_Point}]$`, 'v');

/**
 * Returns where a text was cut by an ellipsis (`…`) at its end, as an index of UTF-16 code units; null if it was not. Twitter cuts the
 * texts of retweets and of long tweets so, and puts the address of the whole tweet behind some.
 */
export function cutIn(text: string): number | null {
  if (!text.includes('…')) return null;
  const shown = blankUrls(text);
  let behind = shown.length;
  while (behind > 0 && BEHIND.test(shown.charAt(behind - 1))) behind--;
  const cut = shown.indexOf('…', behind);
  return cut < 0 ? null : cut;
}

/** A text without the word, or part of one, in which it was cut. Scripts without spaces keep theirs: each of their letters is whole. */
export function withoutCutWord(text: string): string {
  const cut = cutIn(text);
  if (cut === null) return text;
  let end = cut;
  // Letter by letter from the end: a search for a run of letters would begin at each letter of every run.
  for (;;) {
    const from: number = end - (/[\uDC00-\uDFFF]/.test(text.charAt(end - 1)) ? 2 : 1);
    if (from < 0 || !CUT_LETTER.test(text.slice(from, end))) return text.slice(0, end);
    end = from;
  }
}
