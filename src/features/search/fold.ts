import { limitMarks } from '../tweet/language';
import { EQUAL, REMOVED, WHOLE, ZEROS } from './fold-table';

const ASCII = /^[\0-\x7f]*$/;

/** The ranges of `REMOVED` as they stand in a class of a regular expression. */
const removed = REMOVED.replace(/[0-9a-f]+/g, String.raw`\u{$&}`).replaceAll(' ', '');

/**
 * Matches the marks that letters are compared without, and invisible characters, such as soft hyphens, joiners and signs of the writing
 * direction. A space without width (U+200B) parts words, so it is not one of them.
 */
const WITHOUT = new RegExp(String.raw`[[${removed}\p{Default_Ignorable_Code_Point}]--\u200B]`, 'gv');

/** Signs with the one form in which words are compared. Unicode's compatibility form would leave some apart, and make spaces of others. */
const SIGNS = new Map<string, string>(
  (
    [
      ["'", '’‘‛ʼʻʹʾʿ′`´՚׳ꞌ'],
      ['"', '“”„‟«»״″'],
      ['-', '‐‑\u05BE⁃'],
      ['\u3099', '゛'],
      ['\u309A', '゜'],
      ['ι', 'ͺ'],
      ['', 'ﱞﱟﱠﱡﱢﱣﳲﳳﳴﹰﹱﹲﹳﹴﹶﹷﹸﹹﹺﹻﹼﹽﹾﹿ'],
    ] as const
  ).flatMap(([to, from]) => Array.from(from, (one): [string, string] => [one, to])),
);
const SIGN = new RegExp(`[${[...SIGNS.keys()].join('')}]`, 'gu');

/** The letters that differ from their base letter although their mark is ignored, by their decomposed forms. */
const WHOLES = new Map(
  Array.from(WHOLE).flatMap((one): [string, string][] => [
    [one.normalize('NFKD'), one],
    [one.toUpperCase().normalize('NFKD'), one],
  ]),
);
const WHOLE_FORM = new RegExp([...WHOLES.keys()].join('|'), 'gu');
const marksOfWholes = [...new Set([...WHOLES.keys()].join('').match(WITHOUT))].join('');
const MARK_OF_WHOLE = new RegExp(`[${marksOfWholes}]`, 'u');
const WITHOUT_MARKS_OF_WHOLES = new RegExp(
  String.raw`[[${removed}\p{Default_Ignorable_Code_Point}]--[\u200B${marksOfWholes}]]`,
  'gv',
);

const EQUALS = new Map<string, string>([
  ['ς', 'σ'],
  // Some come from compatibility forms.
  ...SIGNS,
  ...EQUAL.split(' ').flatMap((line) => {
    const [to = '', from = ''] = line.split(':');
    return Array.from(from, (one): [string, string] => [one, to]);
  }),
  ...ZEROS.split(' ').flatMap((zero) =>
    Array.from('0123456789', (digit): [string, string] => [
      String.fromCodePoint(parseInt(zero, 16) + Number(digit)),
      digit,
    ]),
  ),
]);
const EQUAL_LETTER = new RegExp(`[${[...EQUALS.keys()].join('')}]`, 'gu');

/**
 * Folds a text, so that words are equal if people take them for the same: Unicode's compatibility forms, case, accents, invisible
 * characters, and the variants of apostrophes, quotes, hyphens and digits do not matter. Accents are the marks that CLDR's root collation
 * for searches ignores; docs/decisions.md says where it is not followed. Spaces and punctuation stay.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return folded(text);
  const signs = text.replace(SIGN, (sign) => SIGNS.get(sign) ?? sign);
  if (ASCII.test(signs)) return folded(signs);
  const bare = withoutMarks(limitMarks(signs).normalize('NFKD'));
  if (ASCII.test(bare)) return folded(bare);
  // The text is changed to upper case in between, which folds letters with several small forms: ß is ss, and the dotless ı is i, so Turkish
  // is found however it is typed.
  const lower = bare.toLowerCase().toUpperCase().toLowerCase();
  const equal = lower.replace(EQUAL_LETTER, (letter) => EQUALS.get(letter) ?? letter);
  // The collation has `l·` as one letter, as Catalan writes it. Marks between which others were removed are on one letter now.
  return limitMarks(equal.replaceAll('l·', 'l')).normalize('NFC');
}

function folded(ascii: string): string {
  return ascii.toLowerCase().replaceAll('`', "'");
}

function withoutMarks(decomposed: string): string {
  if (!MARK_OF_WHOLE.test(decomposed)) return decomposed.replace(WITHOUT, '');
  return decomposed
    .replace(WITHOUT_MARKS_OF_WHOLES, '')
    .replace(WHOLE_FORM, (form) => WHOLES.get(form) ?? form)
    .replace(WITHOUT, '');
}
