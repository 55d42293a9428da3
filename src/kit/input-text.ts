import { badInput } from './errors';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Anything but spaces, marks and what only says how other characters are shown. */
const VISIBLE = /[^\p{Z}\p{M}\p{Cc}\p{Cf}]/u;

/** The most UTF-16 units of a text, or twice as many as graphemes: one may be of any length. */
const MOST_UNITS = 10_000;

/** Checks a text that a person wrote: 1 to `most` graphemes, something of it visible. Throws `BAD_USER_INPUT` that names the field. */
export function writtenText(field: string, text: string, most: number): string {
  if (!VISIBLE.test(text)) throw badInput(`${field} must not be empty.`);
  const units = Math.max(MOST_UNITS, 2 * most);
  const graphemes = text.length > units ? Infinity : [...segmenter.segment(text)].length;
  if (graphemes > most)
    throw badInput(
      `${field} must be at most ${most} graphemes and ${units} UTF-16 units, but got ${graphemes === Infinity ? `${text.length} units` : graphemes}.`,
    );
  if (/\p{Surrogate}/u.test(text))
    throw badInput(`${field} must be well-formed Unicode, but holds a lone surrogate.`);
  return text;
}
