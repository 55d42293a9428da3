/**
 * Scripts whose texts have no spaces between words: those of East Asia, and those for which Unicode's line breaking needs a dictionary
 * (UAX #14, class SA). Javanese and Balinese are written without spaces, too.
 */
const UNSPACED = [
  ...['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Yi', 'Nushu', 'Tangut', 'Khitan_Small_Script'],
  ...['Thai', 'Lao', 'Khmer', 'Myanmar', 'Tai_Le', 'New_Tai_Lue', 'Tai_Tham', 'Tai_Viet', 'Ahom'],
  ...['Javanese', 'Balinese'],
].map((script) => String.raw`\p{scx=${script}}`);

const LETTERS = String.raw`[\p{L}\p{M}\p{N}]`;

/** A letter, mark or digit of a script without spaces, as it stands in a regular expression with the flag `v`. */
export const UNSPACED_LETTER = `[${LETTERS}&&[${UNSPACED.join('')}]]`;

/** A letter, mark or digit of any other script, or `_`: what words between spaces consist of. */
export const SPACED_LETTER = `[[${LETTERS}_]--[${UNSPACED.join('')}]]`;
