import { badInput } from './errors';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The most UTF-16 units of any text: a grapheme may be of any length. */
const MOST_UNITS = 10_000;

/** Checks a text that a person wrote: 1 to `most` graphemes, not only space. Throws `BAD_USER_INPUT` that names the field. */
export function writtenText(field: string, text: string, most: number): string {
  if (text.trim() === '') throw badInput(`${field} must not be empty.`);
  const graphemes = text.length > MOST_UNITS ? Infinity : [...segmenter.segment(text)].length;
  if (graphemes > most)
    throw badInput(
      `${field} must be at most ${most} graphemes and ${MOST_UNITS} UTF-16 units, but got ${graphemes === Infinity ? `${text.length} units` : graphemes}.`,
    );
  if (/\p{Surrogate}/u.test(text))
    throw badInput(`${field} must be well-formed Unicode, but holds a lone surrogate.`);
  return text;
}
