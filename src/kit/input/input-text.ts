import { countGraphemes } from 'unicode-segmenter/grapheme';
import { badInput } from '../base/errors';
import type { Bounds } from './input-bounds';

/** Anything but spaces, marks and what only says how other characters are shown. */
const VISIBLE = /[^\p{Z}\p{M}\p{Cc}\p{Cf}]/u;

/**
 * The bounds of a text of at most so many graphemes. One grapheme may be of any length, so characters (UTF-16 units) are
 * bounded too: 20 for each, as many as flags and families of emoji have; of long texts 3 for each, more than any script needs on average.
 */
export function written(maxGraphemes: number): Bounds & { readonly maxLength: number } {
  return { maxGraphemes, maxLength: Math.min(20 * maxGraphemes, Math.max(10_000, 3 * maxGraphemes)) };
}

/**
 * Checks a text that a person wrote: 1 to `most` graphemes, within the characters of `written(most)`, something of it
 * visible. Throws `BAD_USER_INPUT` that names the field.
 */
export function writtenText(field: string, text: string, most: number): string {
  const { maxLength } = written(most);
  if (text.length > maxLength)
    throw badInput(`${field} must be at most ${maxLength} characters, but got ${text.length}.`);
  if (!VISIBLE.test(text)) throw badInput(`${field} must not be empty.`);
  const graphemes = text.length > most ? countGraphemes(text) : 0;
  if (graphemes > most) throw badInput(`${field} must be at most ${most} graphemes, but got ${graphemes}.`);
  if (/\p{Surrogate}/u.test(text))
    throw badInput(`${field} must be well-formed Unicode, but holds a lone surrogate.`);
  return text;
}
