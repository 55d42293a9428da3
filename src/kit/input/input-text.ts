import { countGraphemes } from 'unicode-segmenter/grapheme';
import { badArgument } from '../base/errors';
import { MAX_MARKS, type Bounds } from './input-bounds';

/**
 * Matches any character that is visible by itself: no space, combining mark, control or format character, nothing that Unicode says to
 * show nothing for, such as Hangul fillers, and no sign that is blank: those of Braille, Egyptian and music.
 */
const VISIBLE =
  /[^\p{Z}\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{13441}\u{13442}\u{1D159}]/u;

/** Whether a text shows nothing. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** The bounds of a text that a person writes. */
export interface TextBounds extends Bounds {
  readonly maxGraphemes: number;
  readonly maxLength: number;
  readonly maxBytes: number;
}

/**
 * The bounds of a text of at most `maxGraphemes`, and of at most `maxBytes` bytes of UTF-8, as many as its column has: see `text`. One
 * grapheme can be of any length, so characters (UTF-16 code units) are bounded too: 20 a grapheme, as many as emoji of flags and families
 * have. Long texts get 10,000 or, if that is more, 3 a grapheme, which is more than any script needs on average. A letter has at most 8 marks.
 *
 * @example
 * ```ts
 * @InputType()
 * class ReviewInput {
 *   @Bounded(written(500, 5000))
 *   @Field(() => String)
 *   body!: string;
 * }
 * ```
 */
export function written(maxGraphemes: number, maxBytes: number): TextBounds {
  const maxLength = Math.min(20 * maxGraphemes, Math.max(10_000, 3 * maxGraphemes), maxBytes);
  return { maxGraphemes, maxLength, maxBytes };
}

/** Matches more marks on one letter than any script needs. Invisible characters may stand between them. */
const TOO_MANY_MARKS = new RegExp(String.raw`(?:\p{M}\p{Cf}*){${MAX_MARKS + 1}}`, 'u');

/** Matches control characters other than tabs and line breaks. Nothing shows them, and some programs take NUL for the end of a text. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** Signs that change the direction of what follows (UAX #9), up to the sign that ends them. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/gu;
/** The signs that end an embedding or override, and an isolate. */
const [END_OF_EMBEDDING, END_OF_ISOLATE] = ['\u202C', '\u2069'] as const;

/**
 * Whether a name ends each change of direction that it begins, and no other: otherwise, what stands beside the name would be shown in another
 * order.
 */
function closesDirections(name: string): boolean {
  const open: string[] = [];
  for (const sign of name.match(DIRECTIONS) ?? []) {
    if (sign === END_OF_EMBEDDING || sign === END_OF_ISOLATE) {
      if (open.pop() !== sign) return false;
    } else open.push(sign < '\u2066' ? END_OF_EMBEDDING : END_OF_ISOLATE);
  }
  return open.length === 0;
}

/**
 * Checks a name that a person gave, as `checkedText` checks a text, and returns it. Signs that change the direction of text must be ended
 * in it.
 *
 * @example
 * ```ts
 * const name = checkedName('input.name', 'Sea view', written(50, 400));
 * ```
 */
export function checkedName(argument: string, name: string, bounds: TextBounds): string {
  checkedText(argument, name, bounds);
  if (!closesDirections(name))
    throw badArgument(
      argument,
      'must end each change of the direction of text that it begins, and no other.',
    );
  return name;
}

/**
 * Checks a text that a person wrote, and returns it: it must keep its bounds, which `written` gives, have at least one visible
 * character, no control characters but tabs and line breaks, and no lone surrogate. Throws `BAD_USER_INPUT`, which names the argument, such as `input.name`.
 *
 * @example
 * ```ts
 * const name = checkedText('input.name', ' Sea view ', written(50, 400));
 * ```
 */
export function checkedText(
  argument: string,
  text: string,
  { maxGraphemes, maxLength, maxBytes }: TextBounds,
): string {
  const rule = lengthRule(text, maxLength, maxBytes);
  if (rule !== null) throw badArgument(argument, rule);
  if (isBlank(text)) throw badArgument(argument, 'must not be blank.');
  const graphemes = text.length > maxGraphemes ? countGraphemes(text) : 0;
  if (graphemes > maxGraphemes)
    throw badArgument(argument, `must be at most ${maxGraphemes} graphemes, but got ${graphemes}.`);
  if (TOO_MANY_MARKS.test(text))
    throw badArgument(argument, `must have at most ${MAX_MARKS} marks on a letter, but has more.`);
  if (CONTROL.test(text))
    throw badArgument(argument, 'must have no control characters but tabs and line breaks.');
  checkWellFormed(argument, text);
  return text;
}

/** Says which of its bounds a text exceeds, in the unit that is counted; null if none. The length is that of JavaScript. */
export function lengthRule(text: string, maxLength: number, maxBytes: number): string | null {
  const { length } = text;
  // If both bounds are equal, that of the bytes says more: a text has no fewer bytes than code units.
  if (length > maxLength && maxLength !== maxBytes)
    return `must be at most ${maxLength} characters (UTF-16 code units), but got ${length}.`;
  // A code unit has at most three bytes, so the bytes of a short text need not be counted.
  const bytes = 3 * length <= maxBytes ? 0 : Buffer.byteLength(text);
  return bytes > maxBytes ? `must be at most ${maxBytes} bytes of UTF-8, but got ${bytes}.` : null;
}

/**
 * Throws `BAD_USER_INPUT`, which names the argument, if a text has a lone surrogate. UTF-8 has none: the driver would store U+FFFD
 * in its place, so different texts would become the same.
 */
export function checkWellFormed(argument: string, text: string): void {
  if (/\p{Surrogate}/u.test(text))
    throw badArgument(argument, 'must be well-formed Unicode, but holds a lone surrogate.');
}
